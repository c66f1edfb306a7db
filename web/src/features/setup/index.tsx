import { EmptyState } from "@/ui";

export default function SetupPage() {
  return <EmptyState title="Set-up" />;
}
