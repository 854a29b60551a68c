//! In: an incident. Out: the Python file that was submitted, as far as its frames tell: what `spark-submit` can run again. The
//! line that raised may lie in a module of it, or in a class of a jar.

use crate::fact::{Frame, Owner};
use crate::incident::Incident;

/// The file of the script, without its folders.
pub(super) fn of(incident: &Incident) -> Option<&str> {
    let frames = incident.chain.iter().flat_map(|cause| &cause.frames);
    let main = frames
        .filter(|frame| frame.owner == Owner::User && &*frame.function == "<module>")
        .map(|frame| &frame.file);
    let others = [&incident.action_frame, &incident.user_frame];
    let others = others
        .into_iter()
        .flatten()
        .map(|frame: &Frame| &frame.file);
    main.chain(others)
        .map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file))
        .find(|file| file.rsplit_once('.').is_some_and(|(_, kind)| kind == "py"))
}
