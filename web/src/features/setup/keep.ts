// Answers of the set-up that are not written yet stay in this browser, for each teacher apart, so that it can be left and
// gone on with. They are gone once they are written, and when the person begins anew or signs out.
import { useCallback, useEffect, useRef, useState } from "react";
import { SETUP_PREFIX } from "@/lib/leave";
import { begun, empty, revived, type Answers } from "./answers";

const WRITE_MS = 400;

function put(teacher: string, answers: Answers | null): void {
  try {
    if (answers && begun(answers)) localStorage.setItem(SETUP_PREFIX + teacher, JSON.stringify(answers));
    else localStorage.removeItem(SETUP_PREFIX + teacher);
  } catch {
    // A browser that keeps nothing still sets up in one go.
  }
}

function take(teacher: string): Answers {
  try {
    return revived(localStorage.getItem(SETUP_PREFIX + teacher));
  } catch {
    return empty();
  }
}

type Kept = { answers: Answers; change: (change: (was: Answers) => Answers) => void; forget: () => void; resumed: boolean };

export function useAnswers(teacher: string): Kept {
  const [answers, set] = useState(() => take(teacher));
  const [resumed] = useState(() => begun(answers));
  const latest = useRef(answers);
  const forgotten = useRef(false);
  latest.current = answers;
  const save = useCallback(() => put(teacher, forgotten.current ? null : latest.current), [teacher]);
  useEffect(() => {
    const timer = setTimeout(save, WRITE_MS);
    return () => clearTimeout(timer);
  }, [answers, save]);
  useEffect(() => {
    window.addEventListener("pagehide", save);
    return () => {
      window.removeEventListener("pagehide", save);
      save();
    };
  }, [save]);
  const change = useCallback((next: (was: Answers) => Answers) => {
    forgotten.current = false;
    set(next);
  }, []);
  const forget = useCallback(() => {
    forgotten.current = true;
    save();
  }, [save]);
  return { answers, change, forget, resumed };
}
