import type { ReactNode } from "react";
import { useText } from "#core/i18n.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Exports, type ExportsProps } from "./exports.tsx";

export interface ExportDialogProps extends ExportsProps {
  onClose(): void;
  /** Further forms of the list. */
  readonly children?: ReactNode;
}

export default function ExportDialog({ kind, filter, onClose, children }: ExportDialogProps) {
  const { t } = useText();
  return (
    <Dialog title={t("web.export")} size="lg" onClose={onClose}>
      <Exports kind={kind} filter={filter} />
      {children}
    </Dialog>
  );
}
