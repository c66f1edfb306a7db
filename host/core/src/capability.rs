//! The capabilities, from the list of the contract.

use std::fmt;
use std::str::FromStr;

include!("../../../wit/plugin/lists.rs");

/// Whether a component can ask for a capability and do without it: its import then has an answer for one that was not granted it.
macro_rules! can_do_without {
    (optional) => {
        true
    };
    (required) => {
        false
    };
}

macro_rules! define {
    ([] $($variant:ident $name:literal $need:ident $gives:literal;)*) => {
        /// A capability: an import of the contract that can be withheld.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Capability {
            $(#[doc = $gives] $variant,)*
        }

        impl Capability {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The word in manifests, which is the name of the WIT interface.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What it gives, in a line.
            #[must_use]
            pub const fn gives(self) -> &'static str {
                match self {
                    $(Self::$variant => $gives,)*
                }
            }

            /// Whether a component can ask for it and do without it.
            #[must_use]
            pub const fn is_optional(self) -> bool {
                match self {
                    $(Self::$variant => can_do_without!($need),)*
                }
            }
        }
    };
}

capabilities!(define);

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Capability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|capability| capability.name() == text)
            .ok_or_else(|| format!("there is no capability `{text}`; there are {names}"))
    }
}
