import { Fragment, useState, type ReactNode } from "react";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconClipboardText, IconCopy, IconDots, IconGitCompare, IconHistory, IconTemplate } from "@tabler/icons-react";
import type { RoleGrants } from "@rollcall/server/contract/access";
import { useText } from "#core/i18n.ts";
import type { Catalogue, OtherRole } from "./grants.ts";
import { BundleDialog, CompareDialog, CopyDialog, PasteDialog } from "./dialogs.tsx";
import { HistoryDialog, type History } from "./history.tsx";

export interface ToolProps {
  readonly catalogue: Catalogue;
  /** As edited. */
  readonly grants: RoleGrants;
  /** As stored. */
  readonly stored: RoleGrants;
  readonly history: Omit<History, "empty" | "choiceTexts">;
  /** Other roles to compare with; may be empty. */
  readonly compare: readonly OtherRole[];
  /** Further menu items. */
  readonly actions: readonly { readonly icon: ReactNode; readonly text: string; readonly danger?: boolean; run(): void }[];
  /** Applies grants to the draft; null where nothing may be changed. */
  readonly onPropose: ((grants: RoleGrants) => void) | null;
}

type Open = "copy" | "paste" | "bundle" | "compare" | "history";

/** The actions that concern a whole role. */
export function RoleTools(props: ToolProps) {
  const { t } = useText();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const { onPropose } = props;
  return (
    <>
      {onPropose && (
        <Button variant="default" leftSection={<IconTemplate size={15} />} onClick={() => setOpen("bundle")}>
          {t("access.bundle.open")}
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={t("access.more")}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconHistory size={15} />} onClick={() => setOpen("history")}>
            {t("access.history.open")}
          </Menu.Item>
          {props.compare.length > 0 && (
            <Menu.Item leftSection={<IconGitCompare size={15} />} onClick={() => setOpen("compare")}>
              {t("access.compare.open")}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconCopy size={15} />} onClick={() => setOpen("copy")}>
            {t("access.copy.open")}
          </Menu.Item>
          {onPropose && (
            <Menu.Item leftSection={<IconClipboardText size={15} />} onClick={() => setOpen("paste")}>
              {t("access.paste.open")}
            </Menu.Item>
          )}
          {props.actions.map(({ icon, text, danger, run }) => (
            <Fragment key={text}>
              {danger && <Menu.Divider />}
              <Menu.Item leftSection={icon} onClick={run} {...(danger ? { color: "danger" } : {})}>
                {text}
              </Menu.Item>
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
      {open === "copy" && <CopyDialog grants={props.grants} onClose={close} />}
      {open === "paste" && onPropose && <PasteDialog grants={props.grants} onPropose={onPropose} onClose={close} />}
      {open === "bundle" && onPropose && (
        <BundleDialog catalogue={props.catalogue} grants={props.grants} onPropose={onPropose} onClose={close} />
      )}
      {open === "compare" && <CompareDialog grants={props.grants} others={props.compare} onClose={close} />}
      {open === "history" && <HistoryDialog history={{ ...props.history, empty: t("access.history.empty") }} onClose={close} />}
    </>
  );
}
