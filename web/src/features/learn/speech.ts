// Reading aloud by the browser's own voice: off until somebody wants it, stopped at any moment, with what is said as a caption.
import { useCallback, useEffect, useRef, useState } from "react";
import { isBoolean, useKept } from "@/lib/keep";

/** Characters of one utterance: some browsers fall silent in longer ones. */
const PART_MAX = 220;

const voice = (): SpeechSynthesis | null => (typeof speechSynthesis === "undefined" || typeof SpeechSynthesisUtterance === "undefined" ? null : speechSynthesis);

/** A text in sentences, each short enough to be said at once. */
export function sentences(text: string): string[] {
  const found = text.replaceAll(/\s+/g, " ").trim().match(/[^.!?]+(?:[.!?]+(?=\s|$)|[.!?]+(?=\S)[^.!?]*)*[.!?]*\s*/g) ?? [];
  return found.flatMap((sentence) => {
    const parts: string[] = [];
    for (const word of sentence.trim().split(" ")) {
      const last = parts.at(-1);
      if (last !== undefined && last.length + word.length < PART_MAX) parts[parts.length - 1] = `${last} ${word}`;
      else parts.push(word);
    }
    return parts.filter(Boolean);
  });
}

export type Speech = {
  /** Whether this browser can speak. */
  able: boolean;
  on: boolean;
  setOn: (on: boolean) => void;
  /** The sentence that is being said. */
  caption: string | null;
  say: (text: string) => void;
  stop: () => void;
};

export function useSpeech(): Speech {
  const able = voice() !== null;
  const [on, keepOn] = useKept("learn:aloud", false, isBoolean);
  const [caption, setCaption] = useState<string | null>(null);
  const round = useRef(0);

  const stop = useCallback(() => {
    round.current += 1;
    voice()?.cancel();
    setCaption(null);
  }, []);

  const say = useCallback(
    (text: string) => {
      const synthesis = voice();
      if (!synthesis) return;
      stop();
      const mine = round.current;
      const parts = sentences(text);
      const next = (at: number) => {
        const part = parts[at];
        if (mine !== round.current) return;
        if (part === undefined) return setCaption(null);
        const utterance = new SpeechSynthesisUtterance(part);
        utterance.lang = "en-GB";
        utterance.onend = () => next(at + 1);
        utterance.onerror = () => mine === round.current && setCaption(null);
        setCaption(part);
        synthesis.speak(utterance);
      };
      next(0);
    },
    [stop],
  );

  useEffect(() => stop, [stop]);
  const setOn = useCallback(
    (next: boolean) => {
      if (!next) stop();
      keepOn(next);
    },
    [keepOn, stop],
  );
  return { able, on, setOn, caption, say, stop };
}
