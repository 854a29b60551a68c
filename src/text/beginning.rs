//! In: a text. Out: its beginning, in so many bytes as somebody keeps of it.

/// The beginning of a text, at most that many bytes of it, cut between characters.
pub fn beginning(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_is_cut_in_two() {
        let told: Vec<_> = (0..6).map(|most| beginning("aöb", most)).collect();
        assert_eq!(told, ["", "a", "a", "aö", "aöb", "aöb"]);
    }
}
