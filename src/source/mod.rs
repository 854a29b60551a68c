//! Sources: where bytes come from: file, folder, standard input, archive, codec; and what each file is.
//!
//! In: paths. Out: [`Sources`], each of which can be read again at any offset. Only this floor opens files.

mod open;

mod source;

pub use source::{Kind, Refusal, Source, Sources};
