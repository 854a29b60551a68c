//! In: text that is about to be shown or to leave. Out: the same with what `assets/secrets.toml` knows as secrets masked.
//!
//! A secret is looked for only where one of its needles stands in the text, so text without any costs one search.

use super::bare::Bare;
use super::masking::{Masking, note};
use super::pattern::pattern;
use aho_corasick::{AhoCorasick, MatchKind};
use regex::Regex;
use serde::Deserialize;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// What stands instead of a secret.
pub const MARK: &str = "‹masked›";

static SECRETS: LazyLock<Secrets> = LazyLock::new(|| {
    Secrets::parse(include_str!("../../assets/secrets.toml"))
        .unwrap_or_else(|error| panic!("assets/secrets.toml: {error}"))
});

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    no_value: String,
    secret: Vec<Entry>,
}

/// A kind of secret as its file says it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(test), expect(dead_code, reason = "the samples are for the test"))]
struct Entry {
    name: String,
    #[serde(default)]
    asked: bool,
    needles: Vec<String>,
    pattern: String,
    #[serde(default)]
    named: bool,
    #[serde(default)]
    unless: Option<String>,
    finds: Vec<(String, String)>,
    passes: Vec<String>,
}

/// A pattern, compiled when one of its needles is met first.
type Lazy = LazyLock<Regex, Box<dyn FnOnce() -> Regex + Send>>;

/// A kind of secret.
struct Secret {
    name: String,
    asked: bool,
    named: bool,
    pattern: Lazy,
    unless: Option<Lazy>,
}

/// All kinds.
struct Secrets {
    list: Vec<Secret>,
    no_value: Lazy,
    needles: AhoCorasick,
    /// For each needle, whose it is.
    owners: Vec<usize>,
}

/// The text without its secrets, by what [`Masking`] holds now.
pub(super) fn mask(text: &str, masking: Masking) -> Cow<'_, str> {
    if !masking.secrets && !masking.emails {
        return Cow::Borrowed(text);
    }
    SECRETS.mask(text, masking)
}

impl Secrets {
    fn parse(file: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let file: File = toml::from_str(file)?;
        let mut needles = Vec::new();
        let mut owners = Vec::new();
        for (owner, entry) in file.secret.iter().enumerate() {
            owners.extend(entry.needles.iter().map(|_| owner));
            needles.extend(entry.needles.iter().cloned());
        }
        Ok(Self {
            list: file.secret.into_iter().map(Secret::of).collect(),
            no_value: lazy(file.no_value),
            needles: AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::Standard)
                .build(needles)?,
            owners,
        })
    }

    fn mask<'t>(&self, text: &'t str, masking: Masking) -> Cow<'t, str> {
        let mut met = vec![false; self.list.len()];
        for needle in self.needles.find_overlapping_iter(text) {
            met[self.owners[needle.pattern().as_usize()]] = true;
        }
        let looked_for = self.list.iter().zip(met).filter(|(secret, met)| {
            *met && if secret.asked {
                masking.emails
            } else {
                masking.secrets
            }
        });
        let looked_for: Vec<&Secret> = looked_for.map(|(secret, _)| secret).collect();
        let bare = (!looked_for.is_empty()).then(|| Bare::of(text)).flatten();
        let mut found: Vec<(Range<usize>, &str)> = Vec::new();
        for secret in looked_for {
            let ranges = self.of(secret, text);
            found.extend(ranges.map(|range| (range, secret.name.as_str())));
            if let Some(bare) = &bare {
                let ranges = self.of(secret, &bare.text);
                found.extend(ranges.map(|range| (bare.original(&range), secret.name.as_str())));
            }
        }
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        // Of two that overlap the one that begins first names it, and both go.
        found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut masked = String::with_capacity(text.len());
        let mut done = 0;
        for (range, name) in found {
            if range.start >= done {
                masked.push_str(&text[done..range.start]);
                masked.push_str(MARK);
                note(name, &text[range.clone()]);
            }
            done = done.max(range.end);
        }
        masked.push_str(&text[done..]);
        Cow::Owned(masked)
    }

    /// Where a kind of secret is in the text.
    fn of<'a>(
        &'a self,
        secret: &'a Secret,
        text: &'a str,
    ) -> impl Iterator<Item = Range<usize>> + 'a {
        secret
            .pattern
            .captures_iter(text)
            .filter_map(|captures| captures.name("secret"))
            .map(|found| found.range())
            .filter(move |range| {
                let rest = &text[range.start..];
                let named = secret.named && self.no_value.is_match(rest);
                let excepted = secret
                    .unless
                    .as_ref()
                    .is_some_and(|unless| unless.is_match(rest));
                !range.is_empty() && !named && !excepted && !rest.starts_with(MARK)
            })
    }
}

impl Secret {
    fn of(entry: Entry) -> Self {
        Self {
            name: entry.name,
            asked: entry.asked,
            named: entry.named,
            pattern: lazy(entry.pattern),
            unless: entry.unless.map(lazy),
        }
    }
}

fn lazy(source: String) -> Lazy {
    LazyLock::new(Box::new(move || {
        pattern(&source).unwrap_or_else(|error| panic!("assets/secrets.toml: {error}"))
    }))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::super::masking::masking;
    use super::*;

    const ALL: Masking = Masking {
        secrets: true,
        emails: true,
    };

    fn entries() -> Vec<Entry> {
        let file: File = toml::from_str(include_str!("../../assets/secrets.toml")).unwrap();
        file.secret
    }

    #[test]
    fn every_kind_masks_its_samples_and_nothing_masks_what_passes() {
        for entry in entries() {
            assert!(
                !entry.finds.is_empty() && !entry.passes.is_empty(),
                "{}",
                entry.name
            );
            for (text, masked) in &entry.finds {
                assert_eq!(mask(text, ALL), *masked, "{}", entry.name);
                // What is masked stays as it is, and one pattern finds it without the help of others.
                assert_eq!(mask(masked, ALL), *masked, "{}", entry.name);
                let alone = Secret::of(
                    entries()
                        .into_iter()
                        .find(|e| e.pattern == entry.pattern)
                        .unwrap(),
                );
                assert!(
                    SECRETS.of(&alone, text).count() > 0,
                    "{}: {text}",
                    entry.name
                );
            }
            let as_asked = if entry.asked { ALL } else { Masking::default() };
            for text in &entry.passes {
                assert_eq!(mask(text, as_asked), *text, "{}", entry.name);
            }
        }
    }

    #[test]
    fn a_page_hides_no_secret() {
        for (text, masked) in [
            (
                "spark.db.password&#61;hunter2 &amp; more",
                "spark.db.password&#61;‹masked› &amp; more",
            ),
            (
                "<b>password</b>=<i>hunter2</i> for etl",
                "<b>password</b>=<i>‹masked›</i> for etl",
            ),
            (
                "{&quot;password&quot;: &quot;hunter2&quot;}",
                "{&quot;password&quot;: &quot;‹masked›&quot;}",
            ),
        ] {
            assert_eq!(mask(text, ALL), masked);
            assert_eq!(mask(masked, ALL), masked);
        }
    }

    #[test]
    fn ids_hashes_and_paths_are_no_secrets() {
        for text in [
            "application_1741564800123_0042 container_e17_1741564800123_0042_01_000002 attempt_202401020304_0012_m_000007_3",
            "blk_1073741825_1001 BP-1914853243-10.0.0.1-1500467607052 task 0.0 in stage 6.0 (TID 42)",
            "d41d8cd98f00b204e9800998ecf8427e da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "123e4567-e89b-12d3-a456-426614174000 0x7f3b2c001000 org.apache.spark.sql.Dataset$$Lambda$3124/0x000000084",
            "s3a://shop-orders/enriched/day=2024-01-02/part-00000-5f2d9c1a-c000.snappy.parquet",
            "/mnt/yarn/usercache/etl/appcache/application_1_2/blockmgr-9f1c/0d/shuffle_0_1_0.data",
            "abfss://orders@shop.dfs.core.windows.net/a gs://shop/a hdfs://nn1:8020/a",
            "\tat org.apache.hadoop.security.token.Token.decodeFromUrlString(Token.java:258)",
            "PSQLException: FATAL: password authentication failed for user \"etl\"",
            "InvalidToken: token (token for alice: HDFS_DELEGATION_TOKEN owner=alice, renewer=yarn, realUser=, issueDate=1704164645000, maxDate=1704769445000, sequenceNumber=7, masterKeyId=3) can't be found in cache",
            "KeyError: 'token' ValueError: invalid token=')' ParseException: extraneous input 'token' expecting",
            "[UNRESOLVED_COLUMN.WITH_SUGGESTION] `password` cannot be resolved. Did you mean [`passwd`, `token`, `key`]?",
            "Request ID: 4442587FB7D0A2F9, AWS Error Code: 403, Extended Request ID: vlR7PnpV2Ce81l0PRw6jlUpck7Jo5ZsQjryTjKlc5aLWGVHPZLj5NgC6qEtw",
        ] {
            assert_eq!(mask(text, Masking::default()), text);
        }
    }

    #[test]
    fn overlapping_secrets_go_whole_and_are_counted_once_each() {
        let text = "password=hunter2 password=hunter2 url=https://a:hunter3@h/x?token=ghp_abcdefghijklmnopqrstuvwxyz0123456789";
        let (masked, count) = masking(Masking::default(), || {
            mask(text, Masking::default()).into_owned()
        });
        assert!(
            !masked.contains("hunter") && !masked.contains("ghp_"),
            "{masked}"
        );
        assert_eq!(count.total(), 3, "{count}");
    }

    #[test]
    fn what_nobody_asked_to_mask_stays() {
        let text = "mail jane@shop.example with password=hunter2";
        assert_eq!(mask(text, Masking::NONE), text);
        assert!(mask(text, Masking::default()).contains("jane@shop.example"));
        assert!(!mask(text, ALL).contains("jane"));
    }
}
