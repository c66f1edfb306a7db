//! Old `/plugin:command` names, and the capability that each stands for now.
//!
//! The table is the one that the source of the migration lists: 23 of the 97 commands that there once were. A project adds its own
//! under `aliases`.

/// Old name and capability.
pub const ALIASES: [(&str, &str); 23] = [
    ("/wicked-engineering:review", "code-review"),
    ("/wicked-engineering:debug", "debug"),
    ("/wicked-engineering:arch", "architecture-analysis"),
    ("/wicked-engineering:plan", "implementation"),
    ("/wicked-engineering:docs", "general"),
    ("/wicked-qe:scenarios", "test-scenarios"),
    ("/wicked-qe:qe-plan", "test-strategy"),
    ("/wicked-qe:qe-review", "code-review"),
    ("/wicked-qe:automate", "test-execution"),
    ("/wicked-platform:security", "security-scan"),
    ("/wicked-platform:compliance", "compliance-check"),
    ("/wicked-platform:actions", "cicd-pipeline"),
    ("/wicked-product:elicit", "requirements"),
    ("/wicked-product:acceptance", "acceptance-criteria"),
    ("/wicked-product:ux-review", "ux-review"),
    ("/wicked-jam:brainstorm", "brainstorm"),
    ("/wicked-jam:jam", "brainstorm"),
    ("/wicked-crew:start", "orchestrate"),
    ("/wicked-crew:execute", "phase-routing"),
    ("/wicked-crew:status", "progress-report"),
    ("/wicked-mem:store", "memory-store"),
    ("/wicked-mem:recall", "memory-recall"),
    ("/wicked-data:analyze", "data-analysis"),
];

/// How many commands there were by those who wrote the table.
pub const COMMANDS_ONCE: usize = 97;
