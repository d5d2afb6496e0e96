import { useState } from "react";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import type { ExportDialogProps } from "./exportDialog.tsx";

// With the library's dialogs, which a list does not need before.
const ExportDialog = part<ExportDialogProps>(["exports", "errors", "fields"], () => import("./exportDialog.tsx"));

/** Opens the exports of a list: new ones, and the own ones with their progress. */
export function ExportButton(props: Omit<ExportDialogProps, "onClose">) {
  const { t } = useText();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {t("web.export")}
      </Button>
      {opened && <ExportDialog {...props} onClose={() => setOpened(false)} />}
    </>
  );
}
