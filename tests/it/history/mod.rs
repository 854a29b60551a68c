//! A History Server: Spark's own, with and without TLS; and servers that answer what no good one does.

mod fakes;
mod faults;
mod real;
mod server;
