//! [`Action`]: everything a key, the command line or the mouse can ask for. One row of this table is an
//! action's variant, its name in `assets/keymap.toml` and on the command line, its group and its help.

/// What an action is about; the order of the help screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Within a pane.
    Move,
    /// Along the links between panes.
    Go,
    /// From pane to pane.
    Pane,
    /// Short and long form of a trace.
    Fold,
    /// Finding text.
    Search,
    /// Taking text away.
    Copy,
    /// How things are shown.
    View,
    /// The program itself.
    Program,
}

impl Group {
    /// As the help screen heads it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Go => "Go along the failure",
            Self::Pane => "Panes",
            Self::Fold => "Fold",
            Self::Search => "Search",
            Self::Copy => "Copy",
            Self::View => "View",
            Self::Program => "Program",
        }
    }
}

macro_rules! actions {
    ($($variant:ident $name:literal $group:ident $help:literal)*) => {
        /// One thing the screen can be asked to do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action { $(#[doc = $help] $variant,)* }

        impl Action {
            /// Every action, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its name in the keymap and on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// One phrase on what it does.
            pub fn help(self) -> &'static str {
                match self { $(Self::$variant => $help,)* }
            }

            /// What it is about.
            pub fn group(self) -> Group {
                match self { $(Self::$variant => Group::$group,)* }
            }
        }
    };
}

actions! {
    Down            "down"              Move    "Next row"
    Up              "up"                Move    "Previous row"
    HalfPageDown    "half-page-down"    Move    "Half a page down"
    HalfPageUp      "half-page-up"      Move    "Half a page up"
    PageDown        "page-down"         Move    "A page down"
    PageUp          "page-up"           Move    "A page up"
    Top             "top"               Move    "First row"
    Bottom          "bottom"            Move    "Last row"
    Left            "left"              Move    "Fold, or go to the outer cause"
    Right           "right"             Move    "Unfold, or go to the inner cause"
    ScrollLeft      "scroll-left"       Move    "Long lines: scroll to the left"
    ScrollRight     "scroll-right"      Move    "Long lines: scroll to the right"

    Root            "root"              Go      "Back to the root cause; from there, to that of the run"
    NextCause       "next-cause"        Go      "Next cause, towards the root"
    PreviousCause   "previous-cause"    Go      "Previous cause, towards the outermost"
    NextFrame       "next-frame"        Go      "Next line of your own source code in the trace"
    PreviousFrame   "previous-frame"    Go      "Previous line of your own source code in the trace"
    NextAttempt     "next-attempt"      Go      "Next attempt (retry) of the task"
    PreviousAttempt "previous-attempt"  Go      "Previous attempt (retry) of the task"
    NextStage       "next-stage"        Go      "Next stage"
    PreviousStage   "previous-stage"    Go      "Previous stage"
    NextFix         "next-fix"          Go      "Next fix, at the code that mends"
    PreviousFix     "previous-fix"      Go      "Previous fix, at the code that mends"
    NextStep        "next-step"         Go      "Next step of the fix, with its code"
    PreviousStep    "previous-step"     Go      "Previous step of the fix, with its code"
    NextIncident    "next-incident"     Go      "Next incident"
    PreviousIncident "previous-incident" Go     "Previous incident"
    Follow          "follow"            Go      "Open the row's line in the log"
    Hop             "hop"               Go      "Go to any row on the screen by the letters that appear on it"
    Files           "files"             Go      "Files: what was opened, and one of them itself"
    Settings        "settings"          Go      "Settings that the run was given, and what Spark takes without them"
    Explain         "explain"           Go      "Explain the classes, conditions, codes and settings in the row"
    Back            "back"              Go      "Close, or go back one step; at last, to the trace"
    JumpBack        "jump-back"         Go      "Back in the list of jumps"
    JumpForward     "jump-forward"      Go      "Forward in the list of jumps"
    Mark            "mark"              Go      "Remember this spot under a letter"
    GoToMark        "go-to-mark"        Go      "Go to the spot of a letter"

    FocusIncidents  "incidents"         Pane    "Incidents: every separate failure"
    FocusCauses     "causes"            Pane    "Causes: the chain down to the root cause"
    FocusTrace      "trace"             Pane    "Trace: what was printed, the root cause marked"
    FocusAttempts   "attempts"          Pane    "Attempts: every try and retry of the task"
    FocusStages     "stages"            Pane    "Stages of the run, and what is remarkable about them"
    FocusFixes      "fixes"             Pane    "Fixes: what to do, with its code"
    FocusSql        "sql"               Pane    "SQL: the execution and its plan"
    FocusProfiles   "profiles"          Pane    "Profiles of Python code: what is hot"
    NextPane        "next-pane"         Pane    "Next pane"
    PreviousPane    "previous-pane"     Pane    "Previous pane"
    ZoomIn          "zoom-in"           Pane    "The pane fills the screen"
    ZoomOut         "zoom-out"          Pane    "All panes again"
    Wider           "wider"             Pane    "The pane wider"
    Narrower        "narrower"          Pane    "The pane narrower"
    Taller          "taller"            Pane    "The pane taller"
    Shorter         "shorter"           Pane    "The pane shorter"
    HidePane        "hide-pane"         Pane    "Hide the pane; its number shows it again"
    ResetPanes      "reset-panes"       Pane    "All panes, as large as at first"

    ToggleFold      "toggle-fold"       Fold    "Fold or unfold the row"
    OpenFold        "open-fold"         Fold    "Unfold the row"
    CloseFold       "close-fold"        Fold    "Fold the run the row is in"
    OpenFolds       "open-folds"        Fold    "Unfold everything"
    CloseFolds      "close-folds"       Fold    "Fold everything"

    Search          "search"            Search  "Search in all panes"
    NextMatch       "next-match"        Search  "Next match"
    PreviousMatch   "previous-match"    Search  "Previous match; where nothing is searched for and no rule knows the failure, begin one"
    Filter          "filter"            Search  "Show only what matches: incidents, whole records with their traces; ! negates"

    CopyRoot        "copy-root"         Copy    "Copy the root cause; in Fixes, the step under the cursor"
    CopyMenu        "copy-menu"         Copy    "Choose what to copy"
    CopyChain       "copy-chain"        Copy    "Copy the chain of causes"
    CopyFrame       "copy-frame"        Copy    "Copy the row under the cursor"
    CopyTrace       "copy-trace"        Copy    "Copy the trace as it is in the log"
    CopyStep        "copy-step"         Copy    "Copy the code of this step, else of the first that mends"
    CopyFix         "copy-fix"          Copy    "Copy the code of all steps of the selected fix"
    CopyRaw         "copy-raw"          Copy    "Copy the trace raw: prefixes, control characters and all"
    CopyTicket      "copy-ticket"       Copy    "Copy the incident as Markdown for a ticket"
    Share           "share"             Copy    "Show and copy the command line that opens this spot"

    RawView         "raw-view"          View    "The log itself, around the row"
    Wrap            "wrap"              View    "Wrap long lines"
    FlipOrder       "flip-order"        View    "Root cause first, or as printed"
    ProfileOrder    "profile-order"     View    "Sort profiles by what each row takes itself, in all, or as printed"
    Times           "times"             View    "Times of attempts and lines: the clock, since the start, since the one before, none"
    Secrets         "secrets"           View    "Show secrets that are masked, or mask them again"
    Mouse           "mouse"             View    "Give the mouse to the terminal, or take it back"

    Help            "help"              Program "All keys"
    Command         "command"           Program "Run any action by its name"
    Paste           "paste"             Program "Read a trace that you paste"
    FollowLogs      "follow-logs"       Program "Follow the logs as they grow, or leave them as they are"
    BeginRule       "begin-rule"        Program "Begin a rule of your own for a failure that no rule knows"
    Reload          "reload"            Program "Read the logs again"
    Suspend         "suspend"           Program "Back to the shell; fg returns"
    Quit            "quit"              Program "Quit"
}

impl Action {
    /// The action of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|a| a.name() == name)
    }
}
