import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "x",
	size: 24,
	node: [["path", {
		d: "M18 6 6 18",
		key: "1bl5f8"
	}], ["path", {
		d: "m6 6 12 12",
		key: "d8bk6v"
	}]]
};
__iconData.node;
const X = createLucideIcon(__iconData);
export { __iconData, X as default };
