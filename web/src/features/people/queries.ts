import { queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { Person } from "@/api/types";

export const people = queryOptions({ queryKey: ["people"], queryFn: ({ signal }) => call<Person[]>("/people", { signal }), staleTime: 0 });
