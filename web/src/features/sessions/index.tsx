import { EmptyState } from "@/ui";

export default function SessionsPage() {
  return <EmptyState title="Lessons" />;
}
