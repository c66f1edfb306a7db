import { EmptyState } from "@/ui";

export default function MemoryPage() {
  return <EmptyState title="Memory" />;
}
