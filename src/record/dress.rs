//! In: a sample of a source. Out: its [`Dress`]: which of the ambiguous wrappings the whole source wears.

/// What a source as a whole is wrapped in, where one line alone cannot tell: quoted mail, a code block's
/// indentation, a service's name before a bar.
///
/// Decided once for each source; the text of a line is a pure function of its bytes and this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dress {
    /// Blanks before every line of the log.
    pub(super) indent: u8,
}

impl Dress {
    /// What `sample` wears: the first bytes of a source (up to a MiB is enough), best with some of its end.
    pub fn of(_sample: &[u8]) -> Self {
        Self::default()
    }

    /// How many bytes at the beginning of `text` are the source's indentation.
    pub(super) fn indent_of(self, text: &str) -> usize {
        let blanks = text.bytes().take_while(|b| matches!(b, b' ' | b'\t'));
        blanks.take(usize::from(self.indent)).count()
    }
}
