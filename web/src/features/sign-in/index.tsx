import { EmptyState } from "@/ui";

export default function SignInPage() {
  return <EmptyState title="Sign in" />;
}
