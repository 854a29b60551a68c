//! In: what to answer. Out: a server on this machine that answers it, whatever it is asked, and remembers what that was.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

pub(super) struct Fake {
    pub(super) port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Fake {
    /// Answers every request with these bytes, then closes.
    pub(super) fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::start(move |_, stream| {
            let _ = stream.write_all(&answer);
        })
    }

    /// Begins every answer with these bytes and goes on with `more` until nobody listens any more.
    pub(super) fn without_end(head: &'static str, more: &'static [u8]) -> Self {
        Self::start(move |_, stream| {
            let _ = stream.write_all(head.as_bytes());
            let more = more.repeat(4_096);
            while stream.write_all(&more).is_ok() {}
        })
    }

    /// Passes on what a proxy is asked to connect to.
    pub(super) fn proxy() -> Self {
        Self::start(|head, stream| {
            let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
            let Ok(mut there) = TcpStream::connect(target) else {
                return;
            };
            let _ = stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n");
            let (mut from, mut to) = (
                stream.try_clone().expect("a socket"),
                there.try_clone().expect("a socket"),
            );
            let up = thread::spawn(move || {
                let _ = std::io::copy(&mut from, &mut to);
            });
            let _ = std::io::copy(&mut there, stream);
            let _ = stream.shutdown(Shutdown::Both);
            let _ = up.join();
        })
    }

    fn start(answer: impl Fn(&str, &mut TcpStream) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let fake = Self {
            port,
            asked: Arc::clone(&asked),
        };
        // Lives as long as the test's process; nobody else knows the port.
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut head = String::new();
                let mut lines = BufReader::new(stream.try_clone().expect("a socket"));
                while lines.read_line(&mut head).is_ok_and(|n| n > 2) {}
                asked
                    .lock()
                    .expect("no panic while it was held")
                    .push(head.clone());
                answer(&head, &mut stream);
                let _ = stream.shutdown(Shutdown::Write);
                // What is not read would reset the connection before the answer is there.
                let _ = stream.set_read_timeout(Some(std::time::Duration::from_secs(1)));
                let _ = lines.read_to_end(&mut Vec::new());
            }
        });
        fake
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The heads of the requests so far.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked
            .lock()
            .expect("no panic while it was held")
            .clone()
    }
}
