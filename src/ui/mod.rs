//! The screen: a failure explored by keyboard, and its cause copied.

pub mod copy;
pub mod doctor;
pub mod terminal;
