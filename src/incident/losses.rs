//! In: failures. Out: those that tell of one loss of an executor, joined: what gives out containers, the backend, the
//! scheduler and the task that ran there each log it in words of their own, around the same reason. Also, which loss
//! a fetch failed of.

use super::builder::Builder;
use super::effect;
use super::failure::Failure;
use super::fingerprint::Fingerprint;
use super::of_task::{effect_of_loss, first_line};
use crate::fact::Stand;
use std::collections::HashMap;

/// What stands before the reason of a loss.
const BEFORE: &[&str] = &[" Reason: ", " for reason "];

/// Joins the failures of one loss; `order` names those that are told, the most important first. Of each loss one stays in
/// it: the first where that one `ended` the run, else the loudest.
pub(super) fn join(failures: &mut [Failure], order: &mut Vec<usize>, ended: Option<usize>) {
    let mut kept: HashMap<Fingerprint, usize> = HashMap::new();
    let rank = |i: usize, failures: &[Failure]| (ended == Some(i), failures[i].level);
    for &i in order.iter() {
        if let Some(print) = loss(&failures[i]) {
            let best = kept.entry(print).or_insert(i);
            if rank(i, failures) > rank(*best, failures) {
                *best = i;
            }
        }
    }
    order.retain(|&i| {
        let Some(&best) = loss(&failures[i]).and_then(|print| kept.get(&print)) else {
            return true;
        };
        if best == i {
            return true;
        }
        let other = failures[i].clone();
        failures[best].take_in(&other);
        false
    });
}

/// The loss before it that made a fetch fail, of those that `order` names: that of the executor on the host which the
/// fetch could not reach.
pub(super) fn behind_fetch(builder: &Builder, fetch: usize, order: &[usize]) -> Option<usize> {
    let failure = &builder.failures[fetch];
    if !effect::fetch_of_lost(&failure.chain) {
        return None;
    }
    let unreached = |host: &str| {
        let mut messages = failure.chain.iter().map(|t| &t.message);
        !host.is_empty() && messages.any(|message| message.contains(host))
    };
    let executors = &builder.ledger.executors;
    order.iter().copied().find(|&i| {
        let lost = &builder.failures[i];
        lost.first_order < failure.first_order
            && loss(lost).is_some()
            && executors.values().any(|executor| {
                effect::names_executor(&lost.root().message, &executor.id)
                    && executor.host.as_deref().is_some_and(unreached)
            })
    })
}

/// The reason of the loss that a failure tells of.
fn loss(failure: &Failure) -> Option<Fingerprint> {
    let root = failure.root();
    let said = failure
        .said
        .is_some_and(|said| said.stand == Stand::Cluster);
    if !said && &*root.class != super::effect::LOST_EXECUTOR && !effect_of_loss(&root.message) {
        return None;
    }
    let text = first_line(&root.message);
    let behind = BEFORE.iter().filter_map(|mark| {
        let at = text.rfind(mark)?;
        Some(&text[at + mark.len()..])
    });
    let reason = behind
        .min_by_key(|rest| rest.len())
        .or_else(|| behind_host(text))
        .unwrap_or(text);
    Some(Fingerprint::of_words(reason.trim().trim_end_matches('.')))
}

/// What the scheduler says behind `Lost executor 9 on host:`.
fn behind_host(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("ost executor ")?;
    let (_, rest) = rest.split_once(" on ")?;
    Some(rest.split_once(": ")?.1)
}
