import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { me } from "@/api/queries";
import { EmptyState } from "@/ui";

/** What is for researchers alone. The server asks too; this says it in words. */
export function ResearchersOnly({ children }: { children: ReactNode }) {
  const { data } = useQuery(me);
  if (!data || data.roles.includes("researcher")) return <>{children}</>;
  return (
    <EmptyState icon={<FlaskConical aria-hidden />} title="For researchers">
      Traces are open to those who sign in as researchers of a study, under pseudonyms. You can read all that was kept about you on the pages Lessons and Memory.
    </EmptyState>
  );
}
