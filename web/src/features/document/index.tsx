import { EmptyState } from "@/ui";

export default function DocumentPane() {
  return <EmptyState title="Lesson" />;
}
