import { useState, type ReactNode } from "react";
import { Button, Modal } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import type { ExportsProps } from "./exports.tsx";

const Exports = part<ExportsProps>(["exports"], async () => ({ default: (await import("./exports.tsx")).Exports }));

/** Opens the exports of a list: new ones, and the own ones with their progress. */
export function ExportButton({ children, ...props }: ExportsProps & { readonly children?: ReactNode }) {
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
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t("web.export")}
        size="lg"
        closeButtonProps={{ "aria-label": t("web.close") }}
      >
        {opened && <Exports {...props} />}
        {children}
      </Modal>
    </>
  );
}
