import { useEffect, useRef, type ReactNode } from "react";
import classes from "./access.module.css";

/** One of the things to choose from beside the page; the chosen one is scrolled into sight. */
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
