import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "check",
	size: 24,
	node: [["path", {
		d: "M20 6 9 17l-5-5",
		key: "1gmf2c"
	}]]
};
__iconData.node;
const Check = createLucideIcon(__iconData);
export { __iconData, Check as default };
