import type { ReactNode } from "react";
import { Modal } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import classes from "./dialogs.module.css";

export function Dialog(props: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useText();
  return (
    <Modal opened onClose={props.onClose} title={props.title} size="lg" closeButtonProps={{ "aria-label": t("web.close") }}>
      <div className={classes["dialog"]}>{props.children}</div>
    </Modal>
  );
}
