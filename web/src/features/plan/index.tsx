import { EmptyState } from "@/ui";

export default function PlanPage() {
  return <EmptyState title="Plan" />;
}
