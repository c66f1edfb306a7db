/// <reference lib="webworker" />
import { parse } from "./parse";

declare const self: DedicatedWorkerGlobalScope;

self.onmessage = (message: MessageEvent<{ id: number; text: string }>) => {
  const { id, text } = message.data;
  try {
    self.postMessage({ id, blocks: parse(text) });
  } catch {
    self.postMessage({ id, blocks: null });
  }
};
