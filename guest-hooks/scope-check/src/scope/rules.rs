//! What the plugin is not for, as tables. The language of the patterns is in [`super::pattern`].
//!
//! Rules come most serious first: where two apply, the teacher is told of the first.

use super::Kind;

/// One thing that the plugin is not for.
pub(super) struct Rule {
    pub(super) kind: Kind,
    /// Any of these makes the rule apply.
    pub(super) patterns: &'static [&'static str],
    /// Whether naming a class shows it to be for a lesson after all: "a poem about loops for 1B".
    pub(super) class_excuses: bool,
    /// Why, and what to do instead.
    pub(super) reason: &'static str,
}

/// Words that make what follows the topic of a lesson.
pub(super) const LESSON_BEFORE: &[&str] = &[
    "lesson|lessons|starter|starters|plenary|plenaries|worksheet|worksheets|quiz|quizzes|unit|units|topic|slides",
    "activity|activities|task|tasks|exercise|exercises|resource|resources|handout|handouts|flashcards|display|poster",
    "homework task|tasks|sheet|sheets|activity|for|on", "revision|revise|recap|retrieval|cloze|crossword|wordsearch",
    "scheme|schemes of", "exit|card|question ticket|tickets|sort|sorts|bank", "learning|success intention*|criteria",
    "differentiat*|scaffold*|vocab|vocabulary|debate|carousel|practical|experiment|kahoot|blooket", "role play|plays",
    "roleplay|exemplar|exemplars|rubric", "model answer|answers|essay|essays|paragraph|text", "writing frame|frames",
    "teach|teaching|plan|planning|outcome|outcomes|benchmarks|pupils|learners write|learn|practise|explore|look|study",
    "teach|teaching|reteach|introduce", "plan|planning a|an|the|my|for", "series|sequence|block of", "period|periods on",
    "cover work|lesson", "how pupils", "project on|about", "comprehension|dictation|spelling",
];

/// Words that make what stands right before them the topic of a lesson.
pub(super) const LESSON_AFTER: &[&str] = &[
    "lesson|lessons|worksheet|worksheets|unit|task|tasks|activity|activities|starter|quiz|plenary|exercise|exercises",
    "writing? frame|frames", "role play|plays", "roleplay|vocab|vocabulary|topic|debate|template? activity", "scheme of",
    "writing for|with|in|skills", "bingo|game|resource|resources|revision",
];

pub(super) const RULES: &[Rule] = &[
    Rule {
        kind: Kind::Instructions,
        patterns: &[
            "^ ignore|disregard|forget|override|bypass .. instruction*|rule|rules|prompt|guideline*|guardrail*|told|said",
            "^ ignore|disregard|forget all|everything|previous|what|the|any of|the? above|before|previous|earlier",
            "your|the system prompt", "^ reveal|show|print|repeat|output|tell .. prompt|instructions|rules",
            "^ you are now|no", "^ pretend|act|behave .. no|without|not|arent rules|restrictions|filters|limits|bound|an",
            "jailbreak|jailbroken", "developer|debug|god|dan mode", "do anything now", "no restrictions|filters|guardrails",
            "^ turn|switch off|on", "^ disable|skip|remove .. check|checks|guardrail|guardrails|hook|hooks|filter|safety",
            "from now on you", "new instructions|system message", "what are your instructions|rules",
        ],
        class_excuses: false,
        reason: "I keep to the rules that I was set up with, so I cannot put them aside. If one of them stands in the way of \
            a lesson, tell me what the lesson needs and I will look for a way.",
    },
    Rule {
        kind: Kind::Advice,
        patterns: &[
            "safeguarding|protection concern|concerns|issue|referral|report|form|disclosure|advice|worry",
            "pupil|child|girl|boy|student|kid|wean|she|he|they|@name told|disclosed|confided|confessed|admitted me|that|to",
            "disclosed|disclosure", "self harm|harming|harmed", "suicidal", "being abused|neglected|hit|beaten|groomed",
            "bruise|bruises on", "worried about .. home|safety|wellbeing|eating|weight",
            "medication|inhaler|epipen|dose|dosage|paracetamol|calpol for|to|should|does|can|@name",
            "does|has|is .. have? adhd|autism|autistic|dyslexia|dyslexic|depressed|anxious|anorexic",
            "diagnose|diagnosis of|for|@name|this|a", "legal advice|action|position|rights", "is it legal|lawful|illegal",
            "can|could|will i|we|they be|get sued|sacked|fired|struck", "am i allowed|liable", "my legal|employment|union rights|rep",
            "sue|suing the|my|them|for",
        ],
        class_excuses: false,
        reason: "This is not something to decide from a planning tool. If a child may be at risk, speak to your child \
            protection coordinator today; for health, to the school nurse or the parents; for the law, to your authority or \
            your union. I can plan a lesson on a topic such as this one.",
    },
    Rule {
        kind: Kind::Reference,
        patterns: &[
            "ucas|college|university|uni|job|character|apprenticeship|employment|academic reference|references",
            "ucas form|forms|application|applications|statement|statements|report|reports|comment|comments|for|@name",
            "letter|letters of recommendation", "recommendation|reference letter|letters", "personal statement|statements",
            "reference|references|recommendation|testimonial for|about|on @name|a|an|one|my|this|him|her|them|our|some",
            "write|draft|do|need|give|provide a|an|his|her|their|the|some|@name .. reference|references|testimonial $",
            "reference|references to support", "recommend @name|her|him for|to",
        ],
        class_excuses: false,
        reason: "I plan lessons; references and statements about a pupil are yours to write, with your school's own form and \
            your guidance team. I can plan a lesson on how references are written, or on writing about oneself.",
    },
    Rule {
        kind: Kind::Report,
        patterns: &[
            "report card|cards|comment|comments|bank|writing $",
            "school|pupil|pupils|student|tracking|progress|interim|annual|termly|parental|settling|full|year|attainment report|reports",
            "write|draft|do|finish|generate|produce|start|complete my|the|our|all|some|these|their|his|her? s1|s2|s3|s4|s5|s6? \
                class|year? reports|report !on|about|in|from|frame|template|writing",
            "write|draft|do|finish|help|generate|produce .. report|reports for|on|about @name|him|her|each|every|all|individual|one|a|my|this|our",
            "my|our|the reports are|is|due|for|deadline", "reports are|due", "report for|on|about @name",
            "comment|comments for|on|about .. report|reports|progress|@name|parents", "tracking comment|comments|data",
            "comment|comments bank|banks", "strengths and next steps for", "reports for each|every|all|my|the|individual|1a|1b|1c|2a|2b|2c|3a|3b|3c|4a|4b|s1|s2|s3|s4",
        ],
        class_excuses: false,
        reason: "I plan lessons; reports and report comments judge a child and are yours to write, in your school's reporting \
            system. I can plan a lesson on report writing, or one that collects evidence of what pupils can do.",
    },
    Rule {
        kind: Kind::Marking,
        patterns: &[
            "^ mark|grade|score|assess|correct these|this|that|my|their|his|her|the|all|each|some|@name|3bs|2cs|1bs|2as|attached .. essay|essays|jotter|jotters|test|tests|prelim|prelims|script|scripts|answer|answers|paper|papers|homework|homeworks|work|folio|folios|assignment|assignments|piece|pieces|effort|efforts|attempt",
            "mark|grade these|this $", "mark|grade|score|assess .. for|against me|level|criteria|him|her", "do|finish|help .. my|the|our|with marking",
            "what|which grade|mark|level|band would|should|does|is|do|did .. get|give|deserve|worth|this|he|she|@name",
            "how many marks|points would|should|does|do", "give|award|assign .. a? mark|marks|grade|grades|score|level to|for|each|out",
            "help .. mark|grade .. essay|essays|jotters|tests|prelims|scripts|papers|folios|work",
            "can|could|would you mark|grade|correct .. essay|essays|jotters|tests|test|prelims|scripts|papers|folios|work|homework",
            "predicted|estimate|estimated grade|grades for", "feedback on|for .. @name|essay|essays|folio|folios|jotters|scripts",
        ],
        class_excuses: false,
        reason: "I plan lessons; marks and grades for pupils' own work need your judgement and must stay out of here. I can \
            write a marking scheme, success criteria, or a task in which pupils mark and improve work themselves.",
    },
    Rule {
        kind: Kind::HomeLetter,
        patterns: &[
            "email|emails|letter|letters|message|messages|note|text|reply|response|newsletter|newsletters|update|phone|call|script to|for|from|home|back .. parent|parents|mum|mums|dad|dads|mother|father|carer|carers|guardian|guardians|family|families|gran",
            "email|phone|call|text|message|contact|tell|ring|write|reply|respond|invite to? .. parent|parents|mum|dad|mother|father|carer|carers|guardian|guardians|families",
            "letter|letters|email|emails|note|message home", "write|phone|email|contact home", "parental|parent letter|email|complaint|newsletter|contact|message",
            "permission|consent slip|slips|letter|letters|form|forms", "parents evening|night|consultation|consultations",
            "groupcall|parentmail|xpressions|seesaw message", "school newsletter", "complaint from .. parent|mum|dad",
        ],
        class_excuses: false,
        reason: "I plan lessons; letters and e-mails to a pupil's home speak for the school and go by its own ways. I can plan \
            a lesson on letters or e-mails, or write a homework task that explains itself at home.",
    },
    Rule {
        kind: Kind::Behaviour,
        patterns: &[
            "behaviour|behavior referral|referrals|log|logs|report|reports|incident|incidents|note|notes|card|sheet|point|points|form|slip|contract|target|targets|plan",
            "referral|referrals for|about|on|to|form", "incident|detention|exclusion|demerit|punishment report|form|letter|slip|note|log|exercise|exercises|exie|record",
            "punny|punnie|lines for", "pastoral|seemis|guidance note|notes|entry|referral|log", "give|put .. detention",
            "what .. do|punish with|about|for? @name|him|her|that|this .. carrying|disrupting|refusing|swearing|fighting|misbehaving|behaviour",
            "keeps disrupting|shouting|swearing|refusing|fighting", "punish|discipline @name|him|her|them|a|this|the",
        ],
        class_excuses: false,
        reason: "I plan lessons; records of a pupil's behaviour go through your school's own system and guidance team. I can \
            plan a calmer start to a lesson, routines, or a lesson on respect and relationships.",
    },
    Rule {
        kind: Kind::SupportPlan,
        patterns: &[
            "write|draft|update|complete|fill|do|review|need|create|make .. iep|ieps|csp|csps|individualised|wellbeing|care|coordinated .. plan|plans|programme|programmes|target|targets|$",
            "write|draft|update|complete|fill|do|review|need|create|make an|a|the|his|her|@name|their? iep|ieps|csp|csps|asp",
            "iep|csp for|targets", "childs|care|support plan|plans for|meeting", "access arrangement|arrangements form|forms|request|evidence|application|for",
            "risk assessment|assessments for|form|of", "write|draft|complete|do .. risk assessment|assessments", "team around the child", "ehcp", "girfec form|plan|paperwork",
        ],
        class_excuses: false,
        reason: "I plan lessons; support plans, access arrangements and risk assessments are formal papers with their own \
            process in your authority. Put what a class needs into its profile, and I plan every lesson for it.",
    },
    Rule {
        kind: Kind::PupilWork,
        patterns: &[
            "do|write|finish|complete|answer|solve my|his|her .. homework|essay|assignment|folio|coursework|exam|test|prelim|dissertation",
            "do|write|finish|complete @name .. homework|essay|assignment|folio|coursework",
            "my|his|her homework|essay|assignment|folio|coursework|dissertation for me|him|her", "i|im have|need|got to hand",
            "im|am a|in pupil|student|s1|s2|s3|s4|s5|s6|school", "help my|our son|daughter|wean|child|kid|boy|girl|nephew|niece",
            "my|our son|daughter|wean|child|kid|nephew|niece|sons|daughters|weans|childs .. homework|essay|assignment|folio|coursework",
            "answers to|for my|his|her .. homework|test|exam|assignment|prelim", "so it|that .. looks like|as .. pupil|him|her|they|i wrote|did",
            "write|finish|rewrite|improve .. @name|his|her|their folio|assignment|essay|added", "write .. for him|her|them to hand|submit",
        ],
        class_excuses: false,
        reason: "I plan lessons for teachers and do not do the work that a pupil should do: it would be no evidence of \
            learning. I can write a model answer on another question, a writing frame, or a step-by-step guide for the class.",
    },
    Rule {
        kind: Kind::Politics,
        patterns: &[
            "who|which|what .. should|would|will|do|to i|we|you? vote|voting for|$",
            "what|whats|give|share do|is|me? you|your .. think|opinion|opinions|view|views|take of|about|on",
            "should scotland|we|britain|the be|leave|rejoin|vote|have !independent",
            "is|are|was the? snp|labour|tories|conservatives|greens|reform|trump|starmer|swinney|farage|government|sturgeon|brexit|independence .. good|bad|better|worse|right|wrong|best|doing|any|a",
            "do|are you support|pro|for|against|left|right|believe|a|an|in .. snp|labour|tory|conservative|reform|independence|brexit|wing|trump",
            "campaign|election|political leaflet|speech|flyer|slogan for|my|the",
            "argue|persuade|convince .. me|people|everyone|colleagues to vote", "best political party|prime|first minister",
        ],
        class_excuses: true,
        reason: "I have no political opinions to offer, and teachers are asked to stay balanced as well. I can plan a lesson \
            in which pupils weigh the arguments of several sides.",
    },
    Rule {
        kind: Kind::Paperwork,
        patterns: &[
            "my|update|improve cv|resume|linkedin", "cover|covering letter for|to", "job|promotion|post|pt application|applications|interview",
            "application|interview for .. job|post|promotion|principal|pt|depute|dht|role",
            "my|for|write prd|prds|pdp|professional review|update|objectives|targets", "gtcs sign|update|form|registration|standards",
            "resignation|grievance|complaint letter|against|about|form", "sick|absence|leave note|line|request|form|email",
            "pay|salary|pension|wage rise|calculator|question|claim|increase|scale", "minutes of|for|from .. meeting|dm",
            "department|departmental|school|faculty|improvement improvement|plan|budget|handbook|policy|minutes|audit .. for|$|of|document",
            "funding|grant|lottery bid|application|proposal", "write|do|make|sort .. school? timetable !for|lesson",
            "union|staff email|meeting|newsletter|rota|night", "leaving|retirement speech|card|message|present|do|poem",
        ],
        class_excuses: false,
        reason: "I plan lessons; job applications, reviews, minutes and other papers of your own are better written with your \
            own tools. I can plan a lesson or a unit, and say in it how it meets the curriculum.",
    },
    Rule {
        kind: Kind::Shopping,
        patterns: &[
            "^ buy|purchase me|us|some|a|an|the|new|my", "^ order me|us|some|new|a|pizza|pens|jotters|whiteboards|supplies",
            "where can|could|should|do i|we buy|get|order|find .. !information|examples|evidence", "cheapest|best .. to buy|on amazon|for sale|deal|deals $",
            "cheapest|best price|prices|deal|deals on|for", "should|could i|we buy|get a|an|the|new", "on|from amazon|ebay|tesco|asda|etsy|temu|argos|ikea",
            "gift|gifts|present|presents for", "which|what laptop|phone|tablet|car|tv|shoes|projector|kettle should|to|is|do", "discount|voucher code|codes $", "book me|us|a|the flight|flights|hotel|table|taxi|holiday|restaurant",
        ],
        class_excuses: true,
        reason: "I plan lessons and cannot shop or compare prices. I can list what a lesson needs, or plan one on best buys \
            and budgets.",
    },
    Rule {
        kind: Kind::Code,
        patterns: &[
            "^ fix|debug|repair|sort|update|set .. my|our|the|this .. code|script|website|site|app|laptop|computer|wifi|printer|projector|smartboard|smartphone|phone|spreadsheet|macro|server|ipad",
            "my|our|the laptop|computer|wifi|printer|projector|smartboard|phone|ipad|macbook|spreadsheet wont|doesnt|isnt|is|keeps|not",
            "write|build|make|create|code|develop|design me|us? a|an|the|my|our|some .. script|bot|macro|website|webpage|app|scraper|formula|plugin|tool|program|spreadsheet to|that|which|for .. my|our|photos|files|emails|department|wedding|business|club|church|mate|brother|sister|friend|shop|cousin|rename|gradebook|attendance|registers|grades",
            "excel|google|sheets|vba macro|formula|formulas to|for|that", "install|uninstall|download windows|office|drivers|minecraft|python on my|a|the",
            "reset|recover|forgot my|the glow? password|passwords|account", "write|fix .. sql|javascript|react|php|vba for|in|on my|our|the",
        ],
        class_excuses: true,
        reason: "I plan lessons and do not write or repair programs and devices for other uses; your school's technician or \
            your authority's service desk can. I can write code as an example for a lesson, and plan a lesson on building such a program.",
    },
    Rule {
        kind: Kind::Chat,
        patterns: &[
            "^ hi|hello|hey|hiya|heya|hullo|awright|alright|yo|morning|afternoon|evening there|again|you|pal|mate|everyone|all|big? $",
            "^ $", "good morning|afternoon|evening|night $", "^ good morning|afternoon|evening|night !lesson|routine|routines $", "how are|is you|things|yourself|it",
            "hows it|you|yourself|things|life", "whats|what is up|the craic|crack|happening|doing $", "^ thanks|thank|cheers|ta|bye|goodbye|cheerio you|very|a|for|so|pal|mate|now|the|lot|much|!$",
            "^ thanks|cheers|ta|bye|goodbye|cheerio $", "who|what are you", "what can|do you do", "are you a|an|real|human|alive|sentient|chatgpt|gemini|ai|there", "what is|whats your name|favourite|star",
            "do you like|love|have|get|believe|dream|feel|remember|sleep", "tell|give me|us a|another|some|your? .. joke|jokes|story|secret|fact|gossip|riddle", "make me|us laugh|smile|happy",
            "cheer me|us up", "im|i am|feel|feeling so|really|very|that|dead? bored|tired|knackered|sad|lonely|stressed|hungry|fed|scunnered|wabbit|hungover",
            "whats|what is|hows|will|is|going .. weather|rain|raining|snow|snowing|sunny|dreich|forecast today|tomorrow|like|this|the|it|at|on|$", "weather today|tomorrow|forecast $",
            "will|is it|going .. rain|raining|snow|snowing|sunny|snow .. today|tomorrow|weekend|$",
            "write|compose|make|do .. poem|limerick|song|rap|haiku|toast|speech|rhyme|lyrics about|for|to|on|$",
            "who won|wins|is winning|scored|is playing", "what was the|last score|result|football", "what|which .. film|films|movie|series|book|show|holiday|restaurant should|would|to|do i|we|you? watch|read|see|go|binge|recommend",
            "what .. should|can|will i|we cook|eat|make|have|wear .. for|tonight|dinner|tea|lunch|today|$", "recipe|recipes for .. tonight|dinner|tea|cake|soup|my|lasagne|curry|brownies|mince|scones|tablet",
            "plan my|our|a|the wedding|holiday|weekend|party|night|hen|stag|trip|birthday", "horoscope|lottery numbers|meaning of life", "lets|can|could we? chat|talk|blether|have|play a|about|$",
            "recommend .. film|movie|restaurant|pub|holiday|song|box|netflix|book|podcast .. me|tonight|$", "what time|day is it|the",
            "play a|some game|music|song with|$", "sing|tell me|us something|a", "do my|the tax|taxes|horoscope|laundry|dishes|shopping",
        ],
        class_excuses: true,
        reason: "I plan lessons, so I am poor company for other things. Give me a class and a topic, such as \"loops for 1B\", \
            or a lesson to change, and I will get started.",
    },
];
