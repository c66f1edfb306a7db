import { useSearch } from "@tanstack/react-router";
import { PanelLeft } from "lucide-react";
import { useEffect, useState } from "react";
import { isBoolean, useKept } from "@/lib/keep";
import { useNarrow } from "@/lib/media";
import { IconButton, Split, Tabs } from "@/ui";
import { Files } from "./files";
import { StartPage } from "./start";

/** Where a lesson begins, with the files beside it. */
export default function PlanPage() {
  const { file } = useSearch({ strict: false }) as { file?: string };
  const narrow = useNarrow();
  const [files, setFiles] = useKept("files-shown", true, isBoolean);
  const [tab, setTab] = useState<"plan" | "files">("plan");
  useEffect(() => {
    if (file) setTab("files");
  }, [file]);
  useEffect(() => {
    // What comes after the first request is fetched while the teacher thinks.
    const timer = setTimeout(() => void import("./session-page"), 1_500);
    return () => clearTimeout(timer);
  }, []);
  if (narrow) {
    return (
      <Tabs
        label="Parts of the page"
        keep
        className="flex-1"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: "plan", label: "Plan", content: <StartPage /> },
          { id: "files", label: "Files", content: <div className="grid min-h-0 flex-1">{tab === "files" ? <Files /> : null}</div> },
        ]}
      />
    );
  }
  const toggle = (
    <IconButton label={files ? "Hide your files" : "Show your files"} size="small" aria-pressed={files} onClick={() => setFiles(!files)}>
      <PanelLeft className="size-4.5" aria-hidden />
    </IconButton>
  );
  return (
    <Split
      name="files"
      label="Width of your files"
      sized="first"
      size={270}
      min={180}
      minRest={480}
      collapsed={!files}
      onCollapse={() => setFiles(false)}
      className="flex-1"
      first={files ? <Files /> : null}
      second={
        <div className="relative grid min-h-0">
          <div className="absolute start-2 top-2 z-10">{toggle}</div>
          <StartPage />
        </div>
      }
    />
  );
}
