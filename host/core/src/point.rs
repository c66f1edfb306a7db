//! The lifecycle points, from the list of the contract.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

include!("../../../wit/plugin/lists.rs");

macro_rules! define {
    ([] $($variant:ident $module:ident $name:literal $world:literal $when:literal;)*) => {
        /// A place in the agent loop where hooks run.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Point {
            $(#[doc = $when] #[serde(rename = $name)] $variant,)*
        }

        impl Point {
            /// All points, in the order in which a run meets them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name in WIT, manifests, JSON and on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The WIT world of a hook that runs there.
            #[must_use]
            pub const fn world(self) -> &'static str {
                match self {
                    $(Self::$variant => $world,)*
                }
            }
        }
    };
}

points!(define);

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|point| point.name() == text)
            .ok_or_else(|| format!("there is no lifecycle point `{text}`; the points are {names}"))
    }
}
