import { useMutation } from "@tanstack/react-query";
import { ChevronDown, Download, FileText, FileType, Printer } from "lucide-react";
import { download, pathOf, queryOf } from "@/api/client";
import { shown } from "@/api/errors";
import { Button, IconButton, Menu, MenuItem, MenuLabel, MenuLine, toast } from "@/ui";

type Form = "docx" | "pdf" | "md";
export type Part = "all" | "pupil";

const FORMS: { form: Form; label: string; icon: typeof FileText }[] = [
  { form: "docx", label: "Word", icon: FileType },
  { form: "pdf", label: "PDF", icon: FileText },
  { form: "md", label: "Markdown", icon: FileText },
];

type Props = { session: string; name: string; pupilParts: boolean; compact: boolean; onPrint: (part: Part) => void };

/** Takes the lesson out of the page: as a file, or onto paper; all of it, or what pupils see. */
export function ExportMenu({ session, name, pupilParts, compact, onPrint }: Props) {
  const save = useMutation({
    mutationFn: ({ form, part }: { form: Form; part: Part }) => {
      const file = `${name}${part === "pupil" ? "-for-pupils" : ""}.${form}`;
      return download(`/sessions/${pathOf(session)}/export${queryOf({ form, part })}`, file);
    },
    onError: (error) => {
      const { message, hint } = shown(error);
      toast([message, hint].filter(Boolean).join(" "), { tone: "bad" });
    },
  });
  const items = (part: Part) => (
    <>
      {FORMS.map(({ form, label, icon: Icon }) => (
        <MenuItem key={form} icon={<Icon aria-hidden />} onSelect={() => save.mutate({ form, part })}>
          {label}
        </MenuItem>
      ))}
      <MenuItem icon={<Printer aria-hidden />} onSelect={() => onPrint(part)}>
        Print
      </MenuItem>
    </>
  );
  const trigger = compact ? (
    <IconButton label="Export or print" size="small" busy={save.isPending}>
      <Download className="size-4.5" aria-hidden />
    </IconButton>
  ) : (
    <Button size="small" busy={save.isPending} icon={<Download className="size-4" aria-hidden />}>
      Export <ChevronDown className="-me-1 size-3.5" aria-hidden />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuLabel>The whole lesson</MenuLabel>
      {items("all")}
      {pupilParts ? (
        <>
          <MenuLine />
          <MenuLabel>Only what pupils see</MenuLabel>
          {items("pupil")}
        </>
      ) : null}
    </Menu>
  );
}
