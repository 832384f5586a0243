import { toLucideIconData } from "./shared/src/utils/toLucideIconData.js";
import { toPascalCase } from "./shared/src/utils/toPascalCase.js";
import Icon from "./Icon.js";
import { createElement, forwardRef } from "react";
function createLucideIcon(iconDataOrName, iconNode = [], aliases = []) {
	const iconData = typeof iconDataOrName === "string" ? toLucideIconData(iconDataOrName, iconNode, aliases) : iconDataOrName;
	const Component = forwardRef(({ className, ...props }, ref) => createElement(Icon, {
		ref,
		icon: iconData,
		className,
		...props
	}));
	if (iconData.name) Component.displayName = toPascalCase(iconData.name);
	return Component;
}
export { createLucideIcon as default };
