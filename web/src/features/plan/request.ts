// A request put together from what was picked, in the words that a teacher would type.
import { series } from "@/lib/words";
import type { ClassProfile, Topic } from "@/api/types";
import { spoken } from "./model/words";

/** Longest request, in characters. */
export const REQUEST_MAX = 4_000;

export type Picked = { classId: string | null; topic: string; minutes: number | null; skills: string[]; wish: string };
export const NOTHING: Picked = { classId: null, topic: "", minutes: null, skills: [], wish: "" };

/** "iteration for 3B, 45 minutes, leaning on retrieval practice; no laptops". Empty without a topic. */
export function requestOf({ classId, topic, minutes, skills, wish }: Picked, usual: number | null): string {
  if (topic.trim() === "") return "";
  const parts = [`${topic.trim()}${classId ? ` for ${classId}` : ""}`];
  if (minutes !== null && minutes !== usual) parts.push(`${minutes} minutes`);
  if (skills.length > 0) parts.push(`leaning on ${series(skills.map(spoken))}`);
  if (wish.trim() !== "") parts.push(wish.trim());
  return parts.join(", ");
}

/** Topics that fit the class and the words typed so far, the best first. */
export function topicsFor(topics: Topic[], group: (ClassProfile & { subjects?: string[] }) | null, typed: string, most = 8): Topic[] {
  const subjects = group ? (group.subjects ?? [group.subject]) : null;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const score = (topic: Topic): number => {
    const text = `${topic.code} ${topic.title}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return -1;
    const starts = words.filter((word) => text.split(/\W+/).some((it) => it.startsWith(word))).length;
    return starts + (subjects?.includes(topic.subject) ? 4 : 0) + (group && topic.level === group.level ? 2 : 0);
  };
  const own = (topic: Topic) => words.length > 0 || subjects === null || subjects.includes(topic.subject);
  const scored = topics.filter(own).map((topic, at) => ({ topic, at, score: score(topic) }));
  return scored.filter((it) => it.score >= 0).sort((a, b) => b.score - a.score || a.at - b.at).slice(0, most).map((it) => it.topic);
}
