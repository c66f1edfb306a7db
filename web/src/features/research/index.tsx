import { EmptyState } from "@/ui";

export default function ResearchPage() {
  return <EmptyState title="Research" />;
}
