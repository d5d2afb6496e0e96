import type { ReactNode } from "react";
import { Dialog } from "#ui/dialog.tsx";
import classes from "./dialogs.module.css";

export function RoleDialog(props: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Dialog onClose={props.onClose} title={props.title} size="lg">
      <div className={classes["dialog"]}>{props.children}</div>
    </Dialog>
  );
}
