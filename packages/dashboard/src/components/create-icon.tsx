import { createElement, type SVGProps } from 'react';

type IconProps = SVGProps<SVGSVGElement> & { size?: number };
export type Icon = (props: IconProps) => React.JSX.Element;
type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>];

/** An icon as lucide-react draws it, hidden from screen readers: the text beside it says the same. */
export function createIcon(shapes: readonly Shape[]): Icon {
  return ({ size = 24, ...props }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
    >
      {shapes.map(([tag, attributes]) =>
        createElement(tag, { key: JSON.stringify(attributes), ...attributes }),
      )}
    </svg>
  );
}
