// Looks for what might name a person, to warn while somebody types. It asks nobody and sends nothing. It errs both ways: the
// check before a lesson looks again, and the person decides.

/** Words with a capital that are no names of pupils: languages, peoples, subjects, tools, days, months, places. */
const FINE = new Set(
  (
    "arabic armenian bengali bulgarian cantonese chinese czech danish dari dutch english estonian farsi finnish french gaelic german greek " +
    "gujarati hebrew hindi hungarian italian japanese korean kurdish latin latvian lithuanian malayalam mandarin maltese nepali norwegian pashto " +
    "persian polish portuguese punjabi romani romanian russian scots scottish serbian sinhala slovak somali spanish swahili swedish tamil telugu " +
    "thai tigrinya turkish ukrainian urdu vietnamese welsh yoruba irish british european african asian syrian afghan indian pakistani american " +
    "maths mathematics computing science physics chemistry biology history geography modern studies art music drama business technologies " +
    "scratch python java javascript html css micro bit excel word powerpoint teams glow google chromebook chromebooks ipad ipads youtube kahoot " +
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december " +
    "scotland glasgow edinburgh aberdeen dundee inverness stirling perth europe britain london higher national advanced christmas easter eid " +
    "braille makaton makaton's widgit clicker dyslexic tourette down asperger's i i'm i'll i've ok tv sqa cfe rshp pse"
  ).split(" "),
);

/** First names that are common in Scottish schools, of many origins, for the places where any word has a capital. */
const FIRST_NAMES = new Set(
  (
    "aaron abdul abdullah abigail adam adele agnieszka ahmed aidan aiden aisha ajay alan aleksander alex alexander alexandra ali alice alisha alistair " +
    "amara amelia amina amir amy ana andrew angus anna anya archie aria arjun arran arthur asha ashley ava ayaan ayesha beatrice bella ben benjamin beth " +
    "bethany blair brodie brooke callum calum cameron caitlin catherine charlie charlotte chidi chloe chris connor cooper craig dan daniel david declan " +
    "dylan eilidh ella ellie elsie emily emma erin ethan eva evie ewan fatima faith fergus finlay finn fiona fraser freya gabriel george georgia grace " +
    "gregor hamish hannah harris harry harper hasan hassan heather holly hope hugo ibrahim imran iona isaac isabella isla jack jacob jakub jamal james jamie " +
    "jan jasmine jay jayden jennifer jessica joanna joe john jordan joseph josh joshua julia kai kacper kayla kayleigh keira khadija kieran kirsty krzysztof " +
    "kyle lachlan lara layla leah lena leo lewis lexi liam lily logan louis lucas lucy luke lyla maciej magda maisie maja malik maria mariam marek mark " +
    "martha mason matthew max maya megan mia michael millie mirren mohammed mohammad muhammad molly murray mustafa nadia natalia nathan niamh nicole nikhil " +
    "niall noah oksana olena oleksandr olivia oliver omar oscar owen patrick paul peter phoebe piotr poppy priya rachel rahul rebecca reece robbie robert robyn " +
    "rory rosa rose ross rosie ruairidh ruaridh ruby ryan sam samuel sana sarah scott sean sebastian shannon shona simran skye sofia sophia sophie stephen " +
    "struan summer tamara taylor theo thomas toby tom tyler victoria wei william willow yasmin yusuf zac zainab zara zoe zofia zuzanna"
  ).split(" "),
);

const MAIL = /[\w.+-]+@[\w-]+\.[\w.]+/g;
const PHONE = /(?:\+44|\b0)\d[\d ]{7,}\d/g;
const WORD = /\p{Lu}[\p{L}'’-]*/gu;

const starts = (text: string, at: number) => at === 0 || /(?:[.!?:;]|^|\n|[-•*])\s*["'“‘(]?$/u.test(text.slice(0, at));

/** What in the text might name or reach a person, each once, in order. */
export function likelyNames(text: string): string[] {
  const found: { at: number; text: string }[] = [];
  for (const pattern of [MAIL, PHONE]) for (const match of text.matchAll(pattern)) found.push({ at: match.index, text: match[0].trim() });
  const inside = (at: number) => found.some((it) => at >= it.at && at < it.at + it.text.length);
  for (const match of text.matchAll(WORD)) {
    const word = match[0].replace(/['’]s$/u, "");
    const small = word.toLowerCase();
    const whole = !/[\p{L}\p{N}]/u.test(text[match.index - 1] ?? "") && !/[\p{N}]/u.test(text[match.index + match[0].length] ?? "");
    // Short forms in capitals (ASN, EAL) and labels of classes (3B) are no names.
    if (!whole || inside(match.index) || word.length < 2 || FINE.has(small) || word === word.toUpperCase()) continue;
    if (FIRST_NAMES.has(small) || !starts(text, match.index)) found.push({ at: match.index, text: word });
  }
  return [...new Set(found.sort((a, b) => a.at - b.at).map((it) => it.text))];
}
