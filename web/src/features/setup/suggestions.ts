// What can be taken over with a click. Lines as a teacher would write them; each can be changed afterwards.
import type { Need } from "./answers";

export const LIKES = [
  "Pupils start as they come in: a few questions from memory on the board",
  "Everybody answers, on mini-whiteboards or with cards",
  "I model one example aloud, then we do one together",
  "Time for talk in pairs before anyone writes",
  "Two or three exit questions that I can sort in five minutes",
  "Something to hold or to try within the first five minutes",
];
export const AVOIDS = [
  "Three different worksheets for one task",
  "Homework that needs a computer at home",
  "Reading round the class",
  "Copying long texts from the board",
  "Contexts that cost money",
];

export type Principle = { title: string; text: string };
export const PRINCIPLES: Principle[] = [
  { title: "Plan from the end", text: "First what pupils should be able to show, then the activities that lead there." },
  { title: "Begin with remembering", text: "A few questions from memory, some of them weeks old, put right at once." },
  { title: "Small steps, with a check after each", text: "Explain for a few minutes, ask everybody, then go on or go back." },
  { title: "Worked examples first, fewer of them later", text: "A full example, then one with gaps, then the bare task." },
  { title: "One hinge question before practice", text: "Its wrong answers show what was misunderstood." },
  { title: "One goal for all, several ways there", text: "Support is lent and taken back; stretch goes deeper, not further ahead." },
  { title: "Talk before writing", text: "Pairs first, then silence, then paper." },
  { title: "Learning by finding out", text: "Pupils ask, try and compare before the method is named." },
];
export const line = (it: Principle): string => `**${it.title}.** ${it.text}`;

export const NEEDS: { label: string; need: Need }[] = [
  { label: "English as an additional language", need: { group: "two pupils with English as an additional language", need: "reading long instructions", support: "keywords with pictures before the task; sentence starters; paired talk first" } },
  { label: "Dyslexia", need: { group: "one dyslexic pupil", need: "reading dense text at speed, and copying from the board", support: "notes handed out in a large sans serif; answers aloud or in a table; never asked to read aloud without warning" } },
  { label: "Attention", need: { group: "two pupils who lose the thread in long explanations", need: "more than a few minutes of listening", support: "one step at a time with a tick list; a job for the hands; a short break in the middle" } },
  { label: "Autism", need: { group: "one autistic pupil", need: "open instructions and sudden changes", support: "the shape of the lesson on the board; the same partner; what finished looks like, in writing" } },
  { label: "Hearing", need: { group: "one pupil who is hard of hearing", need: "following talk in group work and videos", support: "a seat with a view of faces; captions on; answers repeated by the teacher" } },
  { label: "Sight", need: { group: "one pupil with low vision", need: "small print and the far side of the board", support: "handouts in large print beforehand; what is on the board said aloud" } },
  { label: "Worry about speaking", need: { group: "two pupils who worry about speaking in front of others", need: "answering unasked and presenting", support: "a quiet word with the question that will come; one other pair in place of the whole class" } },
  { label: "Early finishers", need: { group: "three pupils who finish early", need: "depth once the task is done", support: "start at the last part; explain somebody else's solution; a why question in writing" } },
];
