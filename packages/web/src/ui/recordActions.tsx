import { ActionIcon } from "@mantine/core";
import { IconLink, IconPrinter } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { showToast } from "#core/toasts.ts";
import { copyToClipboard } from "./copy.tsx";

/** What can be done with every record: copy its address and, outside of the game, print it. */
export function RecordActions({ path }: { readonly path: string }) {
  const { t } = useText();
  const copy = async () => {
    if (await copyToClipboard(new URL(path, location.origin).href)) showToast({ tone: "success", title: t("web.linkCopied") });
  };
  return (
    <>
      <ActionIcon onClick={() => void copy()} aria-label={t("web.copyLink")} title={t("web.copyLink")}>
        <IconLink size={17} />
      </ActionIcon>
      {!tablet && (
        <ActionIcon onClick={() => print()} aria-label={t("web.print")} title={t("web.print")}>
          <IconPrinter size={17} />
        </ActionIcon>
      )}
    </>
  );
}
