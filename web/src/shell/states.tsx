import { Link, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { EmptyState, ErrorNote, Skeleton } from "@/ui";

export const Pending = () => <Skeleton className="mx-auto w-full max-w-xl p-8" lines={5} />;

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="mx-auto w-full max-w-xl p-6">
      <ErrorNote
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </div>
  );
}

export function NotFound() {
  return (
    <EmptyState
      icon={<Compass aria-hidden />}
      title="There is nothing at this address"
      action={
        <Link to="/" className="font-medium text-accent underline underline-offset-3">
          Plan a lesson
        </Link>
      }
    >
      The link may be old, or the lesson may have been deleted.
    </EmptyState>
  );
}
