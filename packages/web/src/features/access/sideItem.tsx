import { useEffect, useRef, type ReactNode } from "react";
import classes from "./access.module.css";

/** One item of the list beside the page; the selected one is scrolled into view. */
export function SideItem(props: { current: boolean; onOpen: () => void; title: ReactNode; text: string }) {
  const { current } = props;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (current) button.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <button ref={button} type="button" className={classes["sideItem"]} aria-current={current} onClick={props.onOpen}>
      <span>{props.title}</span>
      <span className={classes["quiet"]}>{props.text}</span>
    </button>
  );
}
