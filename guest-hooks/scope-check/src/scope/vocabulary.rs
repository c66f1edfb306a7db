//! Words of teaching, and groups of words for the patterns of [`super::rules`].

/// Words that patterns name by their group: `<home>`.
pub(super) const GROUPS: &[(&str, &str)] = &[
    (
        "make",
        "write|draft|do|finish|make|create|generate|produce|compose|start|complete|prepare|update|fill|type|rewrite|redo|improve|\
         need|sort|build|develop|design|give",
    ),
    (
        "their",
        "my|our|your|his|her|their|the|this|that|these|those|all|each|every|some|any|a|an|one|another|whole|entire|attached|of|in|\
         @name|@class",
    ),
    (
        "pupil",
        "pupil|pupils|student|students|child|children|kid|kids|wean|weans|boy|boys|girl|girls|lad|lads|lass|him|her|them|he|she|\
         they|@name",
    ),
    ("child", "pupil|student|child|kid|wean|boy|girl|lad|lass|he|she|him|her|@name"),
    (
        "home",
        "parent|parents|mum|mums|mam|mammy|dad|dads|mother|mothers|father|fathers|carer|carers|guardian|guardians|families|gran|home",
    ),
    ("kin", "son|sons|daughter|daughters|wean|nephew|niece|grandson|granddaughter|boy|girl|nephews|nieces"),
    (
        "message",
        "email|emails|letter|letters|message|messages|note|text|reply|response|newsletter|update|script|invitation|statement",
    ),
    (
        "work",
        "essay|essays|jotter|jotters|test|tests|prelim|prelims|script|scripts|paper|papers|homework|homeworks|work|folio|folios|\
         assignment|assignments|answer|answers|coursework|exam|exams|submissions",
    ),
    ("own-work", "homework|essay|assignment|folio|coursework|dissertation|exam|prelim|test|presentation"),
    (
        "device",
        "laptop|laptops|computer|computers|pc|pcs|wifi|printer|printers|projector|projectors|smartboard|phone|ipad|ipads|macbook|chromebook|spreadsheet|\
         gradebook|website|app|internet|router",
    ),
    (
        "party",
        "snp|labour|tories|tory|conservatives|greens|reform|libdems|trump|biden|starmer|swinney|farage|sturgeon|brexit|independence|\
         government|monarchy|immigration|israel|gaza|putin",
    ),
    ("superlative", "best|worst|top|cleverest|smartest|brightest|weakest|strongest|laziest|thickest|nicest|favourite"),
    ("pupils", "pupil|pupils|student|students|child|children|kid|kids|wean|weans|learner|learners|boy|boys|girl|girls"),
    ("verse", "poem|limerick|song|rap|haiku|sonnet|toast|rhyme|lyrics|ode"),
];

/// Words that make what follows them the topic of a lesson.
pub(super) const LESSON: &[&str] = &[
    "lesson|lessons|starter|starters|plenary|plenaries|worksheet|worksheets|quiz|quizzes|unit|units|topic|slides|powerpoint",
    "activity|activities|task|tasks|exercise|exercises|resource|resources|handout|handouts|flashcards|poster|project",
    "revision|retrieval|cloze|crossword|wordsearch|comprehension|dictation|bellringer|carousel|kahoot|jigsaw",
    "game|games to|for|on|about|that|where",
    "differentiate*|scaffold*|vocab|vocabulary|debate|roleplay|exemplar|exemplars|rubric|curriculum|outcome|outcomes",
    "role play|plays",
    "scheme|schemes of",
    "exit|card|question ticket|tickets|sort|sorts|bank",
    "learning|success intention|intentions|criteria",
    "model answer|answers|essay|essays|paragraph|text",
    "writing|sentence frame|frames|starter|starters",
    "cover work",
    "homework on|task|tasks|sheet|where|about",
    "teach|teaching|reteach pupils|them|how|about|to|the|@class",
    "plan something|anything|an|a hour|period",
    "pupils|learners|they mark|write|learn|practise|explore|discuss|compare",
];

/// Words before a lesson that make it a time or a place, not what is asked for: "after my lesson", "her lesson work".
pub(super) const NOT_ASKED: &str = "after during from using since before in off missed his her their disrupted left";

/// Words that make what stands right before them the topic of a lesson: "letter to parents worksheet".
pub(super) const LESSON_AFTER: &[&str] = &[
    "writing|reading|based? lesson|lessons|worksheet|worksheets|unit|task|tasks|activity|activities|starter|quiz|exercise|exercises",
    "role play|plays",
    "roleplay|vocab|vocabulary|phrases|debate|bingo|drama|sketch|skit",
];

/// Skills that pupils practise on letters and reports as well as on anything else.
pub(super) const SKILLS: &[&str] = &[
    "persuasive|discursive|functional|transactional|creative|imaginative|formal|informal writing|language",
    "spreadsheet|spreadsheets|database|databases",
    "mail merge|merging",
    "data analysis|handling|presentation",
    "text analysis",
    "word processing",
    "in french|german|spanish|gaelic|mandarin|latin",
];

/// Words that show the letter or report to be a real one all the same.
pub(super) const NOT_PRACTICE: &[&str] = &[
    "comment|comments",
    "my reports",
    "^ <make>|email|phone|text|call <their>? <their>? report|reports|<message>|<home>",
    "@name parents|mum|dad|progress",
];
