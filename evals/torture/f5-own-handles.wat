(component
  (type $thing (resource (rep i32)))
  (core func $new (canon resource.new $thing))
  (core module $module
    (import "thing" "new" (func $new (param i32) (result i32)))
    (memory (export "memory") 2)
    (global $top (mut i32) (i32.const 65536))
    (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    (func (export "run") (param i32) (result i32)
      (loop $again (drop (call $new (i32.const 7))) (br $again)) (unreachable)))
  (core instance $main (instantiate $module
    (with "thing" (instance (export "new" (func $new))))))
  ;; frame
)
