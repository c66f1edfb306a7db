//! Planning a lesson.

use super::form::check;
use super::room::Room;
use super::samples::FILES;

fn room() -> Room {
    Room::new(FILES)
}

#[test]
fn the_work_is_done_in_order() {
    let room = room().with_skill("differentiation", "See `read_skill differentiation/eal-strategies.md`.").with_skill("differentiation/eal-strategies.md", "# EAL");
    let lesson = room.say("iteration for 3B");
    assert_eq!(
        room.calls(),
        [
            "list_directory classes", "list_directory curriculum", "update_tasks",
            "read_file classes/3B.md",
            "read_file curriculum/cfe-computing.md", "read_file curriculum/cfe-french.md", "read_file curriculum/cfe-maths.md",
            "read_skill differentiation", "update_tasks",
            "read_skill differentiation/eal-strategies.md",
            "update_tasks",
        ]
    );
    check(&lesson, &room, Some("3B"), 50);
    println!("{lesson}");
}
