//! [`Role`]: what a piece of the screen means; a theme gives each its style.

macro_rules! roles {
    ($($variant:ident $name:literal)*) => {
        /// What a piece of the screen means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names of the roles are their meaning; `themes/dark.toml` comments them")]
        pub enum Role { $($variant,)* }

        impl Role {
            /// Every role.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its name in a theme's file.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

roles! {
    Text            "text"
    Dim             "dim"
    Strong          "strong"
    Border          "border"
    BorderFocused   "border-focused"
    Title           "title"
    TitleFocused    "title-focused"
    Selected        "selected"
    Cursor          "cursor"
    Match           "match"
    Bar             "bar"

    Brand           "brand"
    Failed          "failed"
    Warning         "warning"
    Succeeded       "succeeded"
    Unknown         "unknown"

    Root            "root"
    RootCursor      "root-cursor"
    OwnCode         "own-code"
    OwnSource       "own-source"
    Library         "library"
    Boilerplate     "boilerplate"
    Fold            "fold"
    Class           "class"
    Message         "message"
    Record          "record"
    Connector       "connector"

    Key             "key"
    Hint            "hint"
    Status          "status"
    Prompt          "prompt"

    Check           "check"
    Reproduce       "reproduce"
    Fix             "fix"
    Guard           "guard"

    Code            "code"
    CodeKeyword     "code-keyword"
    CodeString      "code-string"
    CodeNumber      "code-number"
    CodeComment     "code-comment"
    CodeFunction    "code-function"
    CodeType        "code-type"
    CodeOperator    "code-operator"
}
