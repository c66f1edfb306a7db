use super::*;

fn found(text: &str) -> Vec<(String, Framework)> {
    find_foreign(text).into_iter().map(|foreign| (foreign.as_written, foreign.framework)).collect()
}

#[test]
fn codes_of_other_curricula_are_recognised() {
    use Framework::{Australia, CommonCore, Csta, England, ExamBoard, Iste, NextGenerationScience, Texas};
    for (text, framework) in [
        ("CCSS.MATH.CONTENT.7.EE.A.1", CommonCore),
        ("CCSS.ELA-LITERACY.RL.7.1", CommonCore),
        ("CCSS 7.EE.A.1", CommonCore),
        ("7.EE.A.1", CommonCore),
        ("6.RP.3a", CommonCore),
        ("HSA-REI.B.3", CommonCore),
        ("NC KS3", England),
        ("KS3 Ma2.1", England),
        ("KS3 2.1", England),
        ("KS3/Ma/2.1", England),
        ("KS3-CS-1", England),
        ("Ma3/2.1", England),
        ("2-AP-12", Csta),
        ("1B-AP-10", Csta),
        ("MS-PS1-2", NextGenerationScience),
        ("ACMNA123", Australia),
        ("AC9M7N01", Australia),
        ("ACELA1547", Australia),
        ("VCDTDI050", Australia),
        ("DT2-8P", Australia),
        ("AQA 8525 3.1.2", ExamBoard),
        ("OCR J277 2.1.1", ExamBoard),
        ("AQA 3.1.1", ExamBoard),
        ("TEKS 126.40", Texas),
        ("ISTE 5c", Iste),
    ] {
        assert_eq!(found(text), [(text.to_owned(), framework)], "{text}");
        assert_eq!(found(&format!("Aligned to {text}.")), [(text.to_owned(), framework)], "{text} within a sentence");
    }
}

#[test]
fn a_form_that_is_also_ordinary_numbering_needs_its_framework_nearby() {
    assert_eq!(found("see RL.7.1"), []);
    assert_eq!(found("Common Core: RL.7.1").len(), 1);
    assert_eq!(found("RL.7.1 (CCSS)").len(), 1);
    assert_eq!(found(&format!("Common Core is American. {} See W.3.1.", "Mòran. ".repeat(60))), []);
}

#[test]
fn prose_about_other_curricula_is_no_claim() {
    for text in [
        "a worksheet made for KS3",
        "Key Stage 3 pupils",
        "KS3/4 materials",
        "KS3 and KS4",
        "KS3 2024 edition",
        "BBC Bitesize (KS3)",
        "section 7.2.1",
        "version 1.2.3",
        "S1-S3",
        "3B",
        "TCH 3-14a",
        "1/2",
        "24/7",
        "Python 3.12",
        "Higher Maths 1.2",
        "ACDC",
        "AC 240V",
        "the NC500 route",
        "K-12",
        "2-3 minutes",
        "A-level 2",
        "KS3/S1",
        "KS2-KS3",
        "2.G.1",
        "CCSS",
        "Ma/Mìos",
        "page 3/4",
        "Java 17",
        "Q3",
        "RL circuits",
        "OCR software from 2019",
        "the AQA 2019 paper",
        "ISTE 2024",
        "AQA",
        "VC 10",
        "MA1-2",
        "the National Curriculum in Key Stage 3",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn where_outcomes_are_claimed_less_will_do() {
    let claimed = |text: &str| -> Vec<String> {
        find_foreign_where(text, |_| true).into_iter().map(|foreign| foreign.as_written).collect()
    };
    assert_eq!(claimed("- RL.8.3"), ["RL.8.3"]);
    assert_eq!(claimed("England National Curriculum Key Stage 3"), ["National Curriculum Key Stage 3"]);
    assert_eq!(claimed("the national curriculum of Scotland, stage 3"), Vec::<String>::new());
}
