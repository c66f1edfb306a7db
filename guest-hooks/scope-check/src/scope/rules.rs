//! What the plugin is not for, as tables. The language of the patterns is in [`super::pattern`].
//!
//! Rules come most serious first: where two apply, the teacher is told of the first.

use super::Kind;

/// One thing that the plugin is not for.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) kind: Kind,
    /// Any of these makes the rule apply.
    pub(super) patterns: &'static [&'static str],
    /// Whether a class or a word of teaching anywhere shows it to be for a lesson after all: "a poem about loops for 1B".
    pub(super) excusable: bool,
    /// Why, and what to do instead.
    pub(super) reason: &'static str,
}

const INSTRUCTIONS: Rule = Rule {
    kind: Kind::Instructions,
    patterns: &[
        "^ ignore|disregard|forget|override|bypass .. instructions|rules|prompt|guidelines|guardrails|told|restrictions|training",
        "^ ignore|disregard everything|all of? the? above|before|previous",
        "reveal|show|print|repeat|output|give|tell|what .. your|hidden|initial|system prompt|instructions|rules",
        "system prompt",
        "you are now a|an|not|no|free|dan|in",
        "pretend|act|behave .. no|without|any rules|restrictions|limits|filter|filters|limitations",
        "act|behave as|like a|an general|unrestricted|different|uncensored",
        "^ jailbreak",
        "developer|debug|god|dan|admin mode",
        "do anything now",
        "from now on you",
        "disable|skip|bypass|turn|switch|remove off? your|the? curriculum|evidence|safety|scope|content check|checks|filter|filters|hook",
        "disable|skip|bypass|turn|switch|remove off? your|the? guardrail|guardrails|safeguards",
    ],
    excusable: false,
    reason: "I keep to the rules that I was set up with, so I cannot put them aside. If one of them stands in the way of a \
        lesson, tell me what the lesson needs and I will look for a way.",
};

const HARM: Rule = Rule {
    kind: Kind::Harm,
    patterns: &[
        "make|making|build|building|construct|assemble a|an|your|the|my? pipe|petrol|nail|homemade|real|working|simple|small? \
         bomb|bombs|explosive|explosives|grenade|grenades|molotov|napalm|meth|methamphetamine|heroin|ricin|silencer \
         !calorimeter|calorimeters|shelter|shelters|disposal",
        "bomb making|recipe|instructions",
        "how to kill|poison|stab|murder|strangle somebody|someone|anyone|people|a|my",
        "how to buy|get|sell|make|cook drugs|cocaine|heroin|meth|ketamine|mdma",
    ],
    excusable: false,
    reason: "I do not plan lessons in how people are hurt. I can plan one on the history, the science or the ethics of it, \
        without instructions.",
};

const ADVICE: Rule = Rule {
    kind: Kind::Advice,
    patterns: &[
        "safeguarding|protection concern|concerns|issue|referral|report|form|disclosure|advice",
        "<child> told|tells me",
        "<child> .. disclosed|confided",
        "<child> .. self|suicidal|suicide|bruise|bruises harming|harm|harms|on|$",
        "<child>|pupils is|are? being|getting hurt|hit|abused|neglected|beaten|battered|groomed|harmed",
        "stepdad|dad|mum|stepmum|father|mother|uncle|brother hits|batters|beats|hurts|touches|hit|battered|locks him|her|them|@name",
        "worried about <their>? <child> .. home|safety|safe|wellbeing|eating|weight|$",
        "medication|inhaler|epipen|paracetamol|ibuprofen|calpol .. <child>",
        "give <their>? <child> .. medication|inhaler|epipen|paracetamol|ibuprofen|calpol",
        "does|has|is|might|think @name|he|she|him|her .. adhd|autism|autistic|dyslexia|dyslexic|depressed|anxious|anorexic",
        "diagnose <their>? <child>",
        "legal advice|rights|position",
        "is it legal|lawful|illegal|allowed .. pupil|pupils|child|weans|teacher|me|my|us",
        "can|could|will|would i|we be|get sued|sacked|fired|struck|blamed|done",
    ],
    excusable: false,
    reason: "This is not something to decide with a planning tool. If a child may be at risk, speak to your child protection \
        coordinator today; for health, to the school nurse; for the law, to your authority or your union. I can plan a \
        lesson on a topic such as this one.",
};

const REFERENCE: Rule = Rule {
    kind: Kind::Reference,
    patterns: &[
        "ucas|college|university|uni|job|character|apprenticeship|employment|academic reference|references|ref|refs",
        "ucas|uni statement|statements|form|forms|application|applications|report|reports|comment|comments|entry",
        "statement|statements for .. application|applications",
        "letter|letters of recommendation",
        "recommendation|reference letter|letters",
        "personal statement|statements",
        "reference|references|testimonial|testimonials|recommendation for|about <their>? <their>? <their>? <pupil>|former|s4|s5|s6|form",
        "<make> <pupil>|<their>|us|me? <their>? good|strong|glowing|short|wee? reference|references $|for|to|please|by",
        "reference|references written|done|typed",
        "recommend @name|her|him for",
        "lettre|lettres de recommandation",
    ],
    excusable: false,
    reason: "I plan lessons; references and statements about a pupil are yours to write, on your school's own form and with \
        your guidance team. I can plan a lesson on how references are written, or on writing about oneself.",
};

/// References for somebody by name that are asked for in one breath with a lesson.
pub(super) const BESIDE_LESSON: &[&str] = &[
    "and|plus write|draft|do a|an|the|her|his? ucas|college|university|job|good? reference|references|statement for|about @name",
];

const REPORT: Rule = Rule {
    kind: Kind::Report,
    patterns: &[
        "report card|cards",
        "report comment|comments|statements",
        "comment|comments bank|banks",
        "school|pupil|student|progress|interim|annual|termly|year|tracking|full report|reports|comment|comments",
        "<make> <their>? <their>? reports !on|about|as",
        "reports are? due|needed|overdue",
        "report|reports|comment|comments for <their>? <their>? <pupil>",
        "comment|comments for|about .. report|reports",
        "for the|my|our reports $",
        "report|reports on|about him|her|them",
        "^ reports for <their>? @class",
        "^ @class report|reports $",
        "report|reports on|about|of <their>? <child>|@name progress|effort|attitude|attainment",
        "bulletin|bulletins scolaire|scolaires",
        "comment|comments on|about <their>? <child>|@name progress|effort|attitude|behaviour|work",
        "<make> .. comments for <their>? @class|class|pupils",
    ],
    excusable: false,
    reason: "I plan lessons; reports and report comments judge a child and are yours to write, in your school's reporting \
        system. I can plan a lesson on report writing, or one that gathers evidence of what pupils can do.",
};

const MARKING: Rule = Rule {
    kind: Kind::Marking,
    patterns: &[
        "^ mark|grade|score|correct|assess <their> <their>? _? <work>",
        "<work> .. is a pass|fail|band",
        "help|need|want .. mark|grade|correct|marking|grading <their> <their>? <work>",
        "^ mark|grade this|these|them|it $|for|out|please|against",
        "<make> my|our|the|their? marking !scheme|schemes|grid|criteria|key|guide|instructions|task|code",
        "help|hand .. my|our|the marking",
        "what|which grade|mark|band .. this|it|<child>",
        "how many marks would|should|does .. get|deserve|earn",
        "give|award <their> .. <work> a|some mark|marks|grade|score|level",
        "give me|us a mark|grade|score out|for",
        "estimate|predict .. grade|grades for",
        "estimated|predicted|estimate|working grade|grades",
        "who|whos|which is|are? my|our|the <superlative> <pupils>|in|of|at|$",
        "<superlative> <pupils> in|of @class",
        "rank|ranking|rate my|our|the|all? of? my|our|the? <pupils>|@class",
        "feedback on|for <their> <their>? <work>",
    ],
    excusable: false,
    reason: "I plan lessons; marks and grades for pupils' own work need your judgement and stay out of here. I can write a \
        marking scheme, success criteria, or a task for the lesson in which pupils mark and improve work themselves.",
};

const HOME_LETTER: Rule = Rule {
    kind: Kind::HomeLetter,
    patterns: &[
        "<message> to|for|from <their>? _? <pupil>? <home>",
        "^ email|phone|call|text|message|ring|contact|tell|invite|reply|respond|write to? <their>? <their>? <home>",
        "reply|respond|response|write|speak|calling|phoning|emailing to? <their>? <pupil>? <home>",
        "^ <make>? <their>? <message> home to|about|for|regarding|saying|explaining|re|$",
        "phone|email|ring|contact|text <their>? <their>? <home>",
        "parents evening|night|consultation|consultations|meeting|council",
        "permission|consent slip|slips|letter|letters|form|forms",
        "school newsletter",
        "complaint from <their>? <home>",
        "parental complaint|contact|email|letter|message",
    ],
    excusable: false,
    reason: "I plan lessons; letters and e-mails to a pupil's home speak for the school and go its own way. I can plan a \
        lesson on letters or e-mails, or write a homework task that explains itself at home.",
};

const BEHAVIOUR: Rule = Rule {
    kind: Kind::Behaviour,
    patterns: &[
        "write|record|log up .. behaviour",
        "behaviour|behavior referral|referrals|log|logs|report|reports|incident|note|card|form|slip|contract|targets|plan|sheet",
        "referral|referrals for|about|on <their>? two|three? <pupil>|@class",
        "incident|detention|exclusion|punishment|demerit report|form|letter|slip|note|log|exercise|exercises|exie",
        "write|record|log up? an|the incident",
        "pastoral|seemis|guidance .. note|notes|entry|referral|log",
        "what should|do|can i do about|with <their>? <child>",
        "deal with <their>? <child>|misbehaviour|swearing|fighting",
        "punish|discipline <their>? <pupil>",
        "<child> keeps|refuses|wont .. swearing|shouting|fighting|disrupting|talking|work|behave",
        "put|give <child> .. detention",
    ],
    excusable: false,
    reason: "I plan lessons; records of a pupil's behaviour go through your school's own system and your guidance team. I can \
        plan a calmer start to a lesson, class routines, or a lesson on respect.",
};

const SUPPORT_PLAN: Rule = Rule {
    kind: Kind::SupportPlan,
    patterns: &[
        "<make>|review <their>? <their>? iep|ieps|csp|csps|asp",
        "iep|ieps|csp target|targets|review|meeting|form|forms",
        "iep|ieps|csp for <their>? <their>? <pupil>",
        "<make>|review <their> <their>? childs|care|support|wellbeing|coordinated support? plan|plans",
        "childs plan",
        "individualised educational|education? programme|programmes|plan|plans",
        "access|assessment arrangement|arrangements",
        "risk assessment|assessments for|form",
        "<make> <their>? risk assessment|assessments",
        "girfec .. paperwork|form|plan",
    ],
    excusable: false,
    reason: "I plan lessons; support plans, access arrangements and risk assessments are formal papers with their own process \
        in your authority. Put what a class needs into its profile, and I plan every lesson for it.",
};

const PUPIL_WORK: Rule = Rule {
    kind: Kind::PupilWork,
    patterns: &[
        "do|write|finish|complete|answer|rewrite|redo my|his|her|their|@name <kin>? <own-work>|personal",
        "answers to|for my|his|her .. <own-work>",
        "<own-work> for me $",
        "im|am a|just? pupil|student|schoolboy|schoolgirl",
        "im|am in s1|s2|s3|s4|s5|s6|school|p7",
        "help my|our <kin>",
        "my|our <kin> .. <own-work>",
        "my|our <kin> needs|wants|has|got",
        "for me|him|her|them to hand|submit|copy",
        "looks|look|sounds like|as <child>|they|a wrote|did|made|pupil",
    ],
    excusable: false,
    reason: "I plan lessons for teachers and do not do the work that a pupil should do: it would be no evidence of learning. \
        I can write a model answer to another question, a writing frame, or a step-by-step guide for the class.",
};

const POLITICS: Rule = Rule {
    kind: Kind::Politics,
    patterns: &[
        "who .. vote|voting for",
        "should|would i|you|we vote",
        "who|whos .. win|wins .. election|vote|referendum",
        "you think|reckon of|about .. <party>",
        "your opinion|view|views|take|politics on|of|about|$",
        "should scotland|britain|we be|leave|rejoin",
        "is|are|was|were the? <party> .. good|bad|better|worse|right|wrong|best|liars|useless|daft",
        "do you support|believe|vote|like|back .. <party>",
        "campaign leaflet|leaflets|speech|flyer|slogan",
        "convince|persuade me|people|colleagues|everyone to vote",
    ],
    excusable: true,
    reason: "I have no political opinions to offer, and teachers are asked to stay balanced as well. I can plan a lesson in \
        which pupils weigh the arguments of several sides.",
};

const PAPERWORK: Rule = Rule {
    kind: Kind::Paperwork,
    patterns: &[
        "my cv|resume|prd|pdp|linkedin|appraisal|probation|objectives",
        "<make> a? cv|resume",
        "cover|covering letter|letters",
        "job|promotion application|applications|interview",
        "application|interview for <their>? .. job|post|promotion",
        "prd targets|review|meeting|form|paperwork",
        "gtcs",
        "resignation|grievance",
        "sick note|line|email",
        "pay|pension|salary rise|question|claim|scale|scales",
        "^ <make>? <their>? minutes of|for|from",
        "tax return|returns|allowance|code",
        "department|departmental|faculty|school improvement|budget|handbook|policy|timetable|calendar|development|audit",
        "improvement plan|plans",
        "funding|grant application|bid",
        "staff meeting|email|newsletter|rota|night|briefing|room",
        "leaving|retirement|retiral|wedding|birthday speech|card|do|message|toast|present",
    ],
    excusable: true,
    reason: "I plan lessons; job applications, reviews, minutes and other papers of your own are better written with your own \
        tools. I can plan a lesson or a unit, and say in it how it meets the curriculum.",
};

const SHOPPING: Rule = Rule {
    kind: Kind::Shopping,
    patterns: &[
        "^ buy|purchase|order me|us|some|more|new",
        "where .. buy|purchase",
        "where .. get|find cheap|cheaper|cheapest",
        "find|get me|us the|a|some? cheap|cheaper|cheapest|best",
        "should|could i|we buy",
        "cheapest .. for my|our|the|me|us",
        "gift|gifts|present|presents for",
        "discount|voucher code|codes",
        "shopping list|lists",
        "from|on|off amazon|ebay|tesco|asda|etsy|temu|argos|ikea",
        "^ book me|us|a|the <their>? flight|flights|hotel|table|taxi|holiday|train|restaurant|bus",
    ],
    excusable: true,
    reason: "I plan lessons and cannot shop or compare prices. I can list what a lesson needs, or plan one on best buys and \
        budgets.",
};

const CODE: Rule = Rule {
    kind: Kind::Code,
    patterns: &[
        "^ fix|debug|repair|reset|update|install|hack .. my|our|the|this .. <device>|code|script|macro|password",
        "my|our <device> wont|doesnt|isnt|is|keeps|has|not|broken|crashed|froze|frozen",
        "the <device> wont|doesnt|isnt|cant|broken|crashed|froze|frozen",
        "<make>|code me|us? a|an|my|our .. script|bot|macro|website|webpage|app|scraper|formula|plugin|spreadsheet .. my|our|me|\
         photos|files|emails|business|wedding|club|church|shop|holiday",
        "excel|sheets|spreadsheet formula|macro|formulas|macros .. my|our",
        "reset|forgot|forgotten|recover .. password|passwords",
    ],
    excusable: true,
    reason: "I plan lessons and do not write or repair programs and devices for other uses; your technician or your \
        authority's service desk can. I can write code as an example for a lesson, or plan a lesson on such a program.",
};

/// Why what is no lesson at all is refused.
pub const CHAT_REASON: &str = "I plan lessons, so I am poor company for other things. Give me a class and a topic, such as \"loops for 1B\", or \
        a lesson to change, and I get started.";

const CHAT: Rule = Rule {
    kind: Kind::Chat,
    patterns: &[
        "^ hi|hello|hey|hiya|heya|hullo|howdy|awright|alright|yo|greetings there|again|you|pal|mate|everyone|all|folks|big? $",
        "^ morning|afternoon|evening all|everyone|there? $",
        "^ good morning|afternoon|evening|night all|everyone|there|to|pal|$",
        "how are|is you|things",
        "how was|is your day|weekend|night",
        "hows it|you|yourself|things|life going|doing|$",
        "whats|hows the? craic|crack|happening",
        "^ thanks|thank|cheers|ta you|pal|mate|very|so|a|for? much|lot|that|everything|you|pal|bye? $",
        "^ bye|goodbye|cheerio now|then|for|pal|$",
        "who|what are|made|built you",
        "what can|do you do",
        "are you a|an|real|human|alive|sentient|chatgpt|ai|there|ok",
        "whats|what is? your name|favourite|star",
        "do you like|love|have|believe|dream|feel|remember|sleep _",
        "tell|give|know me|us|any|a|another .. joke|jokes|riddle|gossip|secret",
        "tell me|us a|about story|yourself|something",
        "fun|random|interesting|cool|amazing fact|facts",
        "relationship|dating|financial|life|fashion|marriage|love advice|tips",
        "^ summarise|summarize|paraphrase|proofread this|that|the|my .. article|text|page|document|email|book|story|chapter|paper",
        "^ translate this|that|the|my|an? .. email|letter|message|text|document|article|page",
        "whats|what on telly|tv|netflix|iplayer",
        "make me|us laugh|smile",
        "cheer me|us up",
        "^ im|i am|feel|feeling? so|really|dead|that|pure? bored|tired|knackered|sad|lonely|stressed|hungry|scunnered|fed",
        "^ whats|hows|what|how|will|is .. weather|forecast be? like? today|tomorrow|tonight|outside|the|this|on|at|$",
        "will|is it going|gonna? to? rain|raining|snow|snowing|be",
        "^ write|compose|make|do me|us|my? a|an|another|some .. <verse>",
        "who won|scored .. game|match|league|cup|final|celtic|rangers|hearts|hibs|fitba|football|rugby|strictly|oscar|last",
        "what was the? score|result|fitba",
        "what .. should|can|will i|we .. cook|eat|have|wear|watch|read|do .. tonight|dinner|tea|lunch|weekend|next|$",
        "good|nice|quick|easy recipe|recipes for",
        "recipe|recipes for tonight|dinner|tea",
        "plan my|our|a .. wedding|holiday|weekend|party|night|hen|stag|trip|birthday|garden",
        "horoscope|horoscopes",
        "lottery numbers",
        "meaning of life",
        "recommend|suggest .. film|movie|restaurant|pub|holiday|box|netflix|book|podcast .. me|us|tonight|$",
        "what time|day is it",
        "sing me|us|a",
        "^ lets|can|could|fancy we|a|you|i? chat|talk|blether|blather",
    ],
    excusable: true,
    reason: CHAT_REASON,
};

/// Feasts are not made lessons by a class that is invited.
const PARTY: Rule = Rule {
    kind: Kind::Chat,
    patterns: &[
        "^ plan|organise|organize|arrange|throw my|our|a|an|the .. birthday|christmas|leaving|surprise|halloween|retirement \
        party|parties|disco|$",
    ],
    excusable: false,
    reason: CHAT_REASON,
};

/// All rules, in the order of [`Kind`].
pub(super) const RULES: &[Rule] = &[
    INSTRUCTIONS,
    HARM,
    ADVICE,
    REFERENCE,
    REPORT,
    MARKING,
    HOME_LETTER,
    BEHAVIOUR,
    SUPPORT_PLAN,
    PUPIL_WORK,
    POLITICS,
    PAPERWORK,
    SHOPPING,
    CODE,
    CHAT,
    PARTY,
];
