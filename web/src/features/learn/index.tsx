// The page of somebody with an access code: their conversation with the tutor, where they are, and a field to answer in.
import { useEffect, useState } from "react";
import { Announcer } from "@/lib/announce";
import { CodeDoor } from "./door";
import { current, leave, open, readLink, type Link } from "./code";
import { Room } from "./room";

export function LearnPage() {
  const [link, setLink] = useState<Link | null>(current);
  const [error, setError] = useState<unknown>(null);
  /** What opened nothing, to be put right. */
  const [refused, setRefused] = useState("");
  const enter = (next: Link) => {
    open(next);
    setError(null);
    setLink(next);
  };
  // A link that is opened where the page is open already changes the address alone.
  useEffect(() => {
    const linked = () => {
      if (!readLink(location.hash)) return;
      setError(null);
      setLink(current());
    };
    addEventListener("hashchange", linked);
    return () => removeEventListener("hashchange", linked);
  }, []);
  const shut = (why: unknown) => {
    leave();
    setError(why);
    setRefused(why && link ? link.code : "");
    setLink(null);
  };
  return (
    <>
      {link ? <Room key={link.code} link={link} onShut={shut} /> : <CodeDoor error={error} before={refused} onCode={(code) => enter({ code, topic: "" })} />}
      <Announcer />
    </>
  );
}
