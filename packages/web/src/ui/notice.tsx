import type { ReactNode } from "react";
import type { IconAlertTriangle } from "@tabler/icons-react";
import classes from "./notice.module.css";

/** A line above the page that warns of something. */
export function NoticeBar({ icon: Icon, children }: { icon: typeof IconAlertTriangle; children: ReactNode }) {
  return (
    <div className={classes["notice"]}>
      <Icon size={16} aria-hidden />
      {children}
    </div>
  );
}
