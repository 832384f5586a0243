import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "circle",
	size: 24,
	node: [["circle", {
		cx: "12",
		cy: "12",
		r: "10",
		key: "1mglay"
	}]]
};
__iconData.node;
const Circle = createLucideIcon(__iconData);
export { __iconData, Circle as default };
